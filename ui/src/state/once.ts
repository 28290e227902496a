/**
 * Whether something is said for the first time on this computer. Asking counts as saying it.
 * Where nothing can be remembered it is said every time: better twice than never.
 */
export function firstTime(what: string): boolean {
  const key = `gavel.said.${what}`;
  try {
    if (localStorage.getItem(key) !== null) return false;
    localStorage.setItem(key, "yes");
  } catch {
    return true;
  }
  return true;
}
