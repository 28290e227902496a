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

/** Sizes for lists that draw what is on screen: the screen is as high as it takes. */
class Sizes implements ResizeObserver {
  constructor(private readonly told: ResizeObserverCallback) {}
  observe(target: Element): void {
    const height = target.matches(".rows, .page") ? 1e6 : 50;
    const entry = { target, contentRect: { height, width: 500 } } as unknown as ResizeObserverEntry;
    queueMicrotask(() => this.told([entry], this));
  }
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= Sizes;
Object.defineProperty(HTMLElement.prototype, "offsetParent", { get: () => document.body });

window.matchMedia ??= (query) => ({ media: query, matches: false }) as MediaQueryList;

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});
