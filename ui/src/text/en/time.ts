const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something took or takes; `millis` below zero (a clock that was set back) counts as nothing. */
function duration(millis: number): string {
  if (millis < MINUTE) return `${Math.max(0, Math.floor(millis / SECOND))} s`;
  if (millis < HOUR) return `${Math.floor(millis / MINUTE)} min`;
  if (millis < DAY) {
    const minutes = Math.floor((millis % HOUR) / MINUTE);
    return `${Math.floor(millis / HOUR)} h${minutes ? ` ${minutes} min` : ""}`;
  }
  const hours = Math.floor((millis % DAY) / HOUR);
  return `${Math.floor(millis / DAY)} d${hours ? ` ${hours} h` : ""}`;
}

const clockFormat = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayFormat = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long" });
const longDayFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });
const momentFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

/** When the day of a moment began on the user's calendar. */
const midnight = (moment: number) => new Date(moment).setHours(0, 0, 0, 0);

/** Days between two moments on the user's calendar. */
function daysBetween(at: number, now: number): number {
  return Math.round((midnight(now) - midnight(at)) / DAY);
}

/** How long something still takes, to the second while that is less than an hour. */
function left(seconds: number): string {
  if (seconds < 60 || seconds >= 3_600) return duration(seconds * SECOND);
  return seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds / 60} min`;
}

export const time = {
  duration,
  left,
  midnight,
  /** The time of day. */
  clock: (at: number) => clockFormat.format(at),
  /** The day, as seen from `now`. */
  day: (at: number, now: number) => {
    const days = daysBetween(at, now);
    if (days === 0) return "Today";
    if (days === 1) return "Yesterday";
    return days > 0 && days < 300 ? dayFormat.format(at) : longDayFormat.format(at);
  },
  /** The exact moment. */
  moment: (at: number) => momentFormat.format(at),
  ago: (millis: number) => `${duration(millis)} ago`,
};
