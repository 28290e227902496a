import type { Query } from "../bindings/api";

/** The query that asks for nothing in particular. */
export const everything = (): Query => ({
  text: "",
  server: null,
  project: null,
  action: null,
  ending: null,
  answerer: null,
  from: null,
  until: null,
});

/** Whether a query asks for nothing in particular. */
export function isEverything(query: Query): boolean {
  const { text, ...rest } = query;
  return !text.trim() && Object.values(rest).every((wanted) => wanted === null);
}

/** When the last `count` days began on the user's calendar, the oldest first; `now` is within the last. */
export function daysUntil(now: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now);
    // Not by adding hours: some days have 23 of them, and some 25.
    day.setDate(day.getDate() - (count - 1 - index));
    return day.setHours(0, 0, 0, 0);
  });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps between times that people call round. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
];

/** Round times from nothing to `highest` or a little more, in milliseconds: three or four of them. */
export function roundTimes(highest: number): number[] {
  const step = STEPS.find((step) => step * 3 >= highest) ?? Math.ceil(highest / 3 / DAY) * DAY;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
