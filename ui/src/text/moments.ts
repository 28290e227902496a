/** Moments and durations, the same in every language but for its words. */
export interface TimeWords {
  second: string;
  minute: string;
  hour: string;
  day: string;
  today: string;
  yesterday: string;
  ago: (duration: string) => string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When the day of a moment began on the user's calendar. */
const midnight = (moment: number) => new Date(moment).setHours(0, 0, 0, 0);

/** Days between two moments on the user's calendar. */
const daysBetween = (at: number, now: number) => Math.round((midnight(now) - midnight(at)) / DAY);

/** What is said of time in one language. */
export function momentsOf(locale: string, words: TimeWords) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const clockFormat = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const dayFormat = format({ weekday: "long", day: "numeric", month: "long" });
  const longDayFormat = format({ day: "numeric", month: "long", year: "numeric" });
  const momentFormat = format({ dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
  const shortDayFormat = format({ day: "numeric", month: "short" });
  const { second, minute, hour, day, today, yesterday, ago } = words;

  /** How long something took or takes; `millis` below zero (a clock that was set back) counts as nothing. */
  function duration(millis: number): string {
    if (millis < MINUTE) return `${Math.max(0, Math.floor(millis / SECOND))} ${second}`;
    if (millis < HOUR) return `${Math.floor(millis / MINUTE)} ${minute}`;
    if (millis < DAY) {
      const minutes = Math.floor((millis % HOUR) / MINUTE);
      return `${Math.floor(millis / HOUR)} ${hour}${minutes ? ` ${minutes} ${minute}` : ""}`;
    }
    const hours = Math.floor((millis % DAY) / HOUR);
    return `${Math.floor(millis / DAY)} ${day}${hours ? ` ${hours} ${hour}` : ""}`;
  }

  return {
    duration,
    /** How long something still takes, to the second while that is less than an hour. */
    left: (seconds: number) => {
      if (seconds < 60 || seconds >= 3_600) return duration(seconds * SECOND);
      const rest = seconds % 60;
      return `${Math.floor(seconds / 60)} ${minute}${rest ? ` ${rest} ${second}` : ""}`;
    },
    midnight,
    /** The time of day. */
    clock: (at: number) => clockFormat.format(at),
    /** The day, as seen from `now`. */
    day: (at: number, now: number) => {
      const days = daysBetween(at, now);
      if (days === 0) return today;
      if (days === 1) return yesterday;
      const named = days > 0 && days < 300 ? dayFormat.format(at) : longDayFormat.format(at);
      // It stands as a heading, and not every language writes weekdays with a capital.
      return named.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(locale));
    },
    /** The day, as short as can be. */
    dayShort: (at: number) => shortDayFormat.format(at),
    /** The exact moment. */
    moment: (at: number) => momentFormat.format(at),
    ago: (millis: number) => ago(duration(millis)),
  };
}
