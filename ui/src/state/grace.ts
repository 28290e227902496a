/** The longest a request may wait before it is notified, in milliseconds. */
const MOST = 60_000;

/** Milliseconds as seconds, the way a person writes them. */
export function secondsOf(millis: number): string {
  return String(millis / 1_000);
}

/** What a person typed as seconds, in milliseconds; `null` if it is no time from 0 to 60 seconds. */
export function graceOf(typed: string): number | null {
  const trimmed = typed.trim().replace(",", ".");
  if (!/^\d+(?:\.\d+)?$/.test(trimmed)) return null;
  const millis = Math.round(Number(trimmed) * 1_000);
  return millis <= MOST ? millis : null;
}
