/** What a browser has and jsdom lacks. */
import { cleanup } from "@testing-library/svelte";
import { afterEach } from "vitest";

Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.setAttribute("open", "");
  },
  close(this: HTMLDialogElement) {
    if (!this.hasAttribute("open")) return;
    this.removeAttribute("open");
    this.dispatchEvent(new Event("close"));
  },
});

window.matchMedia ??= (query) => ({ media: query, matches: false }) as MediaQueryList;

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
