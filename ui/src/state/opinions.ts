import type { Activity, Opinion } from "../bindings/api";

/** What the user did with a request by hand: allowed or declined it; `null` if somebody else answered, or nobody. */
function byHand({ outcome }: Activity): "allow" | "deny" | null {
  if (outcome.outcome !== "settled" || outcome.settled.by !== "you") return null;
  return outcome.settled.decision.kind.startsWith("allow_") ? "allow" : "deny";
}

/** The first opinion that was plainly contrary to what the user did. */
export function contrary(row: Activity): Opinion | null {
  const did = byHand(row);
  const plain = (opinion: Opinion) => opinion.status === "ok" && opinion.recommendation !== "ask";
  return did ? (row.opinions.find((opinion) => plain(opinion) && opinion.recommendation !== did) ?? null) : null;
}
