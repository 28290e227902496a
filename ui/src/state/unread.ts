/** Ends of what would be approved that have not been on screen yet. One card is shown at a time, so one set will do. */
const unread = new Set<HTMLElement>();

/** The first end that has not been on screen since its text was shown. */
export function firstUnread(): HTMLElement | null {
  return unread.values().next().value ?? null;
}

/** For the element at the end of a text: the text counts as unread until this has been on screen once. */
export function mustBeSeen(end: HTMLElement): (() => void) | undefined {
  // Without a layout there is no screen to be on.
  if (typeof IntersectionObserver === "undefined") return;
  unread.add(end);
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) leave();
  });
  function leave(): void {
    observer.disconnect();
    unread.delete(end);
  }
  observer.observe(end);
  return leave;
}
