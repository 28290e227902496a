import { describe, expect, it } from "vitest";

import type { Outcome, Settled } from "../bindings/api";
import { catalogueFor, speak, text } from ".";
import { en } from "./en";
import { ru } from "./ru";
import { pluralOf } from "./plural";

describe("how a request ended", () => {
  const cases: [Settled, string][] = [
    [{ by: "you", decision: { kind: "allow_once" } }, "You approved"],
    [{ by: "you", decision: { kind: "decline", reason: "" } }, "You declined"],
    [{ by: "you", decision: { kind: "decline", reason: "Use pnpm." } }, "You declined: Use pnpm."],
    [{ by: "you", decision: { kind: "stop" } }, "You stopped the run"],
    [
      {
        by: "you",
        decision: {
          kind: "allow_for_session",
          patterns: [{ action: "shell", resource: "npm *" }],
          includes_children: false,
          lasts: { until: null, uses: null, for_run: false },
        },
      },
      "You allowed it for the session",
    ],
    [{ by: "you", decision: { kind: "allow_always" } }, "You allowed it for good"],
    [{ by: "rule", line: "ls *", source: "preset" }, "Passed by the rule ls *"],
    [{ by: "rule", line: "npm test", source: "learned" }, "Passed, as learned: npm test"],
    [{ by: "judge", allowed: true, reason: "it only tests" }, "Allowed by the judge: it only tests"],
    [{ by: "judge", allowed: false, reason: "it deletes" }, "Declined by the judge: it deletes"],
    [{ by: "grant", title: "Run npm test" }, "Passed by what you allowed for: Run npm test"],
    [{ by: "swept" }, "Declined along with another request"],
    [{ by: "another_client", reply: "once" }, "Answered elsewhere: approved"],
    [{ by: "another_client", reply: "always" }, "Answered elsewhere: approved for good"],
    [{ by: "another_client", reply: "reject" }, "Answered elsewhere: declined"],
    [{ by: "another_client", reply: null }, "Answered elsewhere"],
    [
      {
        by: "you_answered",
        answers: [
          { question: "Which?", answer: "Red" },
          { question: "And?", answer: "A, B" },
        ],
      },
      "You answered: Red · A, B",
    ],
    [{ by: "you_answered", answers: [] }, "You answered: nothing"],
    [{ by: "you_cancelled", reason: "Not now" }, "You cancelled: Not now"],
    [{ by: "you_cancelled", reason: null }, "You cancelled"],
    [{ by: "answered_elsewhere", answers: [{ question: "Which?", answer: "Blue" }] }, "Answered elsewhere: Blue"],
    [{ by: "answered_elsewhere", answers: [] }, "Answered elsewhere"],
    [{ by: "cancelled_elsewhere" }, "Cancelled elsewhere"],
    [
      { by: "you_stopped", reason: "Not now" },
      "You declined, which stopped the run, as this server passes no words on: Not now",
    ],
    [{ by: "unseen" }, "No longer pending after a gap in the connection"],
    [{ by: "while_away" }, "Settled while Gavel was away"],
    [{ by: "run_ended" }, "Run ended"],
    [{ by: "server_gone" }, "Server gone"],
  ];

  it.each(cases)("%j", (settled, words) => {
    expect(text.activity.outcome({ outcome: "settled", settled })).toBe(words);
  });

  it("covers every variant that there is", () => {
    const every: Record<Settled["by"], true> = {
      you: true,
      grant: true,
      swept: true,
      another_client: true,
      you_answered: true,
      you_cancelled: true,
      answered_elsewhere: true,
      cancelled_elsewhere: true,
      you_stopped: true,
      unseen: true,
      while_away: true,
      run_ended: true,
      rule: true,
      judge: true,
      server_gone: true,
    };
    expect(new Set(cases.map(([settled]) => settled.by))).toEqual(new Set(Object.keys(every)));
  });

  it("says why an answer was not delivered", () => {
    const outcome: Outcome = { outcome: "undelivered", why: "no route" };
    expect(text.activity.outcome(outcome)).toBe("Could not be delivered: no route");
  });
});

describe("durations", () => {
  it.each([
    [-5_000, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [3_599_999, "59 min"],
    [3_600_000, "1 h"],
    [3_900_000, "1 h 5 min"],
    [90_000_000, "1 d 1 h"],
    [86_400_000, "1 d"],
  ])("%i ms is %s", (millis, words) => {
    expect(text.time.duration(millis)).toBe(words);
  });

  it.each([
    [9, "9 s"],
    [60, "1 min"],
    [511, "8 min 31 s"],
    [3_600, "1 h"],
    [7_500, "2 h 5 min"],
  ])("%i s are left as %s", (seconds, words) => {
    expect(text.time.left(seconds)).toBe(words);
  });

  it("names days as seen from today", () => {
    const noon = new Date(2026, 2, 10, 12).getTime();
    const before = (days: number) => new Date(2026, 2, 10 - days, 23).getTime();
    expect(text.time.day(before(0), noon)).toBe("Today");
    expect(text.time.day(before(1), noon)).toBe("Yesterday");
    expect(text.time.day(before(2), noon)).toBe("Sunday, March 8");
    expect(text.time.day(before(400), noon)).toContain("2025");
  });
});

describe("Russian", () => {
  const noon = new Date(2026, 2, 10, 12).getTime();

  it("writes moments its own way", () => {
    expect(ru.time.day(new Date(2026, 2, 8, 23).getTime(), noon)).toBe("Воскресенье, 8 марта");
    expect(ru.time.day(noon, noon)).toBe("Сегодня");
    expect(ru.time.ago(3_900_000)).toBe("1 ч 5 мин назад");
    expect(ru.time.left(511)).toBe("8 мин 31 с");
  });

  it.each([
    [1, "Отказ отклонит и второй запрос этого сеанса.", "1 запрос ожидает", "Разрешить этот шаблон"],
    [2, "Отказ отклонит и ещё 2 запроса этого сеанса.", "2 запроса ожидают", "Разрешить эти 2 шаблона"],
    [5, "Отказ отклонит и ещё 5 запросов этого сеанса.", "5 запросов ожидают", "Разрешить эти 5 шаблонов"],
    [21, "Отказ отклонит и ещё 21 запрос этого сеанса.", "21 запрос ожидает", "Разрешить эти 21 шаблон"],
  ])("counts %i", (count, siblings, waiting, patterns) => {
    expect(ru.inbox.siblings(count)).toBe(siblings);
    expect(ru.inbox.waitingNow(count)).toBe(waiting);
    expect(ru.allow.yes(count)).toBe(patterns);
  });

  it("says what would have passed", () => {
    expect(ru.allow.wouldPass(1, 1, 0, 0)).toBe("Единственный прошлый запрос прошёл бы.");
    expect(ru.allow.wouldPass(0, 21, 0, 0)).toBe("Не прошёл бы ни один из 21 прошлого запроса.");
    expect(ru.allow.wouldPass(5, 22, 1, 2)).toBe(
      "Прошло бы 5 из 22 прошлых запросов, 1 из них удаляет файлы, 2 из них вы отклонили.",
    );
  });
});

describe("languages", () => {
  it("are taken from the system, or as chosen", () => {
    expect(catalogueFor(["ru-RU", "en"])).toBe(ru);
    expect(speak("russian")).toBe("ru");
    expect(text).toBe(ru);
    expect(speak("english")).toBe("en");
    expect(text).toBe(en);
    expect(speak("system")).toBe("en");
  });

  it("falls back to English", () => {
    expect(catalogueFor(["xx-YY", "en-GB"])).toBe(en);
    expect(catalogueFor([])).toBe(en);
  });

  it("counts the way a language does", () => {
    const english = pluralOf("en");
    expect([0, 1, 2].map((count) => english(count, { one: "# request", other: "# requests" }))).toEqual([
      "0 requests",
      "1 request",
      "2 requests",
    ]);
    const russian = pluralOf("ru");
    const forms = { one: "# запрос", few: "# запроса", many: "# запросов", other: "# запроса" };
    expect([1, 3, 5, 11, 21].map((count) => russian(count, forms))).toEqual([
      "1 запрос",
      "3 запроса",
      "5 запросов",
      "11 запросов",
      "21 запрос",
    ]);
  });

  it("says how many other requests a decline takes along", () => {
    expect(text.inbox.siblings(1)).toBe("Declining also declines the other request of this session.");
    expect(text.inbox.siblings(2)).toBe("Declining also declines the 2 other requests of this session.");
  });
});
