import { createSubscriber } from "svelte/reactivity";

const SECOND = 1_000;

/** The time of day that ticks by the second, but only while something on a visible page shows it. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const run = () => {
      clearInterval(timer);
      if (document.visibilityState === "hidden") return;
      update();
      timer = setInterval(update, SECOND);
    };
    document.addEventListener("visibilitychange", run);
    if (document.visibilityState !== "hidden") timer = setInterval(update, SECOND);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", run);
    };
  });

  /** Milliseconds since the Unix epoch. */
  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();
