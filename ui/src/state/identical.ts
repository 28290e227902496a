import type { Request } from "../bindings/api";

/** Everything that an approval lets happen, as one word to compare by. Whose session it is and why plays no part. */
function essence({ action, text, resources, workdir, diff, deceptive, verdict, lines }: Request): string {
  // In no directory of its own a command runs in that of its project: all those are of one kind.
  const said = verdict && [verdict.recommendation, verdict.class, verdict.reason];
  return JSON.stringify([action, text, resources, workdir, diff, deceptive, said, lines]);
}

/** The requests that ask for exactly what `request` asks for and can be answered now, itself among them. */
export function identicalTo(request: Request, requests: readonly Request[]): readonly Request[] {
  const wanted = essence(request);
  return requests.filter((other) => other.online && other.phase.phase === "waiting" && essence(other) === wanted);
}
