import type { Phase, Question, QuestionPhase, Request } from "../bindings/api";

/** What waits in the inbox. */
export type Item = Request | Question;

export function isQuestion(item: Item): item is Question {
  return "fields" in item;
}

/** Requests and questions as one list, longest waiting first. */
export function itemsOf(requests: readonly Request[], questions: readonly Question[]): readonly Item[] {
  if (!questions.length) return requests;
  return [...requests, ...questions].sort((one, other) => one.since - other.since);
}

/** How far the answer to an item has come. */
export type ItemPhase = Phase | QuestionPhase;
