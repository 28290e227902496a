/** The activity looked through and counted, as the core does it. */
import type {
  Activity,
  Answerer,
  AskedOften,
  Day,
  Ending,
  Facet,
  Facets,
  Outcome,
  Pictures,
  Query,
} from "../../bindings/api";

export function endingOf(outcome: Outcome): Ending {
  if (outcome.outcome === "undelivered") return "undelivered";
  const { settled } = outcome;
  switch (settled.by) {
    case "you":
      return settled.decision.kind === "decline" || settled.decision.kind === "stop" ? "declined" : "allowed";
    case "grant":
    case "rule":
      return "allowed";
    case "judge":
      return settled.allowed ? "allowed" : "declined";
    case "swept":
    case "you_stopped":
      return "declined";
    case "you_answered":
    case "answered_elsewhere":
      return "answered";
    case "you_cancelled":
    case "cancelled_elsewhere":
      return "declined";
    case "another_client":
      if (settled.reply === null) return "unknown";
      return settled.reply === "reject" ? "declined" : "allowed";
    case "unseen":
    case "while_away":
      return "unknown";
    case "run_ended":
    case "server_gone":
      return "over";
  }
}

export function answererOf(outcome: Outcome): Answerer | null {
  if (outcome.outcome === "undelivered") return null;
  switch (outcome.settled.by) {
    case "you":
    case "you_stopped":
    case "swept":
    case "you_answered":
    case "you_cancelled":
      return "you";
    case "grant":
    case "rule":
    case "judge":
      return outcome.settled.by;
    case "another_client":
    case "answered_elsewhere":
    case "cancelled_elsewhere":
      return "elsewhere";
    default:
      return "nobody";
  }
}

export function admits(row: Activity, query: Query): boolean {
  const said = `${row.title}\n${row.text}\n${row.action}\n${row.directory}\n${row.session ?? ""}\n${row.server}`;
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => said.toLowerCase().includes(word)) &&
    (query.server ?? row.server) === row.server &&
    (query.project ?? row.directory) === row.directory &&
    (query.action ?? row.action) === row.action &&
    (query.ending ?? endingOf(row.outcome)) === endingOf(row.outcome) &&
    (query.answerer === null || query.answerer === answererOf(row.outcome)) &&
    row.at >= (query.from ?? 0) &&
    row.at < (query.until ?? Infinity)
  );
}

export function facetsOf(rows: readonly Activity[]): Facets {
  const count = (value: (row: Activity) => string, name: (row: Activity) => string): Facet[] => {
    const facets = new Map<string, Facet>();
    for (const row of rows) {
      const facet = facets.get(value(row)) ?? { value: value(row), name: name(row), count: 0 };
      facet.count += 1;
      facets.set(facet.value, facet);
    }
    return [...facets.values()].sort((one, other) => other.count - one.count);
  };
  return {
    servers: count(
      (row) => row.server,
      (row) => row.server.replace(/^https?:\/\//, ""),
    ),
    projects: count(
      (row) => row.directory,
      (row) => row.project,
    ),
    actions: count(
      (row) => row.action,
      (row) => row.action,
    ),
  };
}

const median = (values: readonly number[]): number | null =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;

export function picturesOf(rows: readonly Activity[], days: readonly number[]): Pictures {
  const table = days.map((from): { day: Day; waits: number[] } => ({
    day: {
      from,
      ...{ allowed: 0, declined: 0, answered: 0, unknown: 0, over: 0 },
      ...{ you: 0, grant: 0, rule: 0, judge: 0, elsewhere: 0, nobody: 0 },
      waited: null,
    },
    waits: [],
  }));
  const asked = new Map<string, AskedOften>();
  let total = 0;
  for (const row of rows) {
    const place = table.filter(({ day }) => day.from <= row.at).at(-1);
    const [ending, answerer] = [endingOf(row.outcome), answererOf(row.outcome)];
    if (!place || ending === "undelivered" || answerer === null) continue;
    total += 1;
    place.day[ending] += 1;
    place.day[answerer] += 1;
    if (answerer === "you" || answerer === "elsewhere") place.waits.push(row.waited);
    const { action, title, text, directory, project, server } = row;
    const known = asked.get(text + directory) ?? {
      ...{ action, title, text, directory, project, server },
      ...{ times: 0, allowed: 0, declined: 0, candidate: false },
    };
    known.times += 1;
    if (row.outcome.outcome === "settled" && row.outcome.settled.by === "you") {
      if (ending === "allowed") known.allowed += 1;
      else known.declined += 1;
    }
    known.candidate = action === "shell" && known.allowed >= 3 && !known.declined;
    asked.set(text + directory, known);
  }
  const own = (one: AskedOften) => one.allowed + one.declined;
  return {
    total,
    days: table.map(({ day, waits }) => ({ ...day, waited: median(waits) })),
    waited: median(table.flatMap(({ waits }) => waits)),
    asked: [...asked.values()]
      .filter((one) => own(one) >= 2)
      .sort((one, other) => own(other) - own(one))
      .slice(0, 12),
  };
}
