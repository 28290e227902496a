import type { Answerer, Ending, Outcome, Reply, Said, Settled } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");
const entries = (count: number) =>
  plural(count, { one: "# запись", few: "# записи", many: "# записей", other: "# записи" });

function replied(reply: Reply | null): string {
  switch (reply) {
    case "once":
      return "Ответ дан в другом месте: разрешено";
    case "always":
      return "Ответ дан в другом месте: разрешено навсегда";
    case "reject":
      return "Ответ дан в другом месте: отклонено";
    case null:
      return "Ответ дан в другом месте";
  }
}

/** What was answered to a question; nothing, where everything was skipped. */
const said = (answers: Said[]) => answers.map(({ answer }) => answer).join(" · ") || "ничего";

/** How a request came to its end. */
function settled(how: Settled): string {
  switch (how.by) {
    case "you":
      switch (how.decision.kind) {
        case "allow_once":
          return "Вы разрешили";
        case "allow_for_session":
          return "Вы разрешили на сеанс";
        case "allow_always":
          return "Вы разрешили навсегда";
        case "decline":
          return how.decision.reason ? `Вы отклонили: ${how.decision.reason}` : "Вы отклонили";
        case "stop":
          return "Вы остановили агента";
      }
    // eslint-disable-next-line no-fallthrough -- every kind of decision returned
    case "you_stopped":
      return how.reason
        ? `Вы отклонили, и агент остановился: этот сервер не передаёт ему слов. Не передано: ${how.reason}`
        : "Вы отклонили, и агент остановился: этот сервер не передаёт ему слов";
    case "grant":
      return `Пропущено по разрешению, данному для: ${how.title}`;
    case "rule":
      return how.source === "learned" ? `Пропущено как выученное: ${how.line}` : `Пропущено по правилу ${how.line}`;
    case "judge":
      return how.allowed ? `Разрешено судьёй: ${how.reason}` : `Отклонено судьёй: ${how.reason}`;
    case "swept":
      return "Отклонено вместе с другим запросом";
    case "another_client":
      return replied(how.reply);
    case "you_answered":
      return `Вы ответили: ${said(how.answers)}`;
    case "you_cancelled":
      return how.reason ? `Вы отменили вопрос: ${how.reason}` : "Вы отменили вопрос";
    case "answered_elsewhere":
      return how.answers.length ? `Ответ дан в другом месте: ${said(how.answers)}` : "Ответ дан в другом месте";
    case "cancelled_elsewhere":
      return "Вопрос отменён в другом месте";
    case "unseen":
      return "Больше не ожидает: ответ пришёлся на обрыв связи";
    case "while_away":
      return "Решилось, пока Gavel не работал";
    case "run_ended":
      return "Агент закончил работу";
    case "server_gone":
      return "Сервер исчез";
  }
}

const endings: Record<Ending, string> = {
  allowed: "Разрешено",
  declined: "Отклонено",
  answered: "Отвечено",
  over: "Кончилось без ответа",
  unknown: "Неизвестно",
  undelivered: "Не удалось доставить",
};

const answerers: Record<Answerer, string> = {
  you: "Вы",
  grant: "Ваши разрешения",
  rule: "Правила",
  judge: "Судья",
  elsewhere: "В другом месте",
  nobody: "Никто",
};

export const activity: Catalogue["activity"] = {
  title: "Журнал",
  filter: "Фильтр",
  filterHint: "Команда, проект, сеанс …",
  filters: (count) => (count ? `Фильтры и экспорт (${count})` : "Фильтры и экспорт"),
  clear: "Сбросить фильтры",
  range: "Когда завершился",
  ranges: {
    any: "За всё время",
    day: "Сегодня",
    days: (count) =>
      plural(count, {
        one: "Последний # день",
        few: "Последние # дня",
        many: "Последние # дней",
        other: "Последние # дня",
      }),
  },
  anyProject: "Любой проект",
  anyServer: "Любой сервер",
  kind: "Вид",
  anyKind: "Любой вид",
  ending: "Исход",
  anyEnding: "Любой исход",
  endings,
  answerer: "Кто ответил",
  anyAnswerer: "Кто угодно",
  answerers,
  asList: "Список",
  asPictures: "Графики",
  saveJson: "Экспорт в JSON Lines",
  saveTable: "Экспорт в CSV",
  saved: (count) =>
    `${plural(count, { one: "Экспортирован # запрос", few: "Экспортировано # запроса", many: "Экспортировано # запросов", other: "Экспортировано # запроса" })} в`,
  outcome: (outcome: Outcome) =>
    outcome.outcome === "settled" ? settled(outcome.settled) : `Не удалось доставить: ${outcome.why}`,
  waited: (duration) => `ждал ${duration}`,
  older: "Загрузить более ранние",
  loading: "Загрузка …",
  noOlder: "Больше записей нет.",
  shown: entries,
  matching: (count, all) =>
    `${count} из ${plural(all, { one: "# записи", few: "# записей", many: "# записей", other: "# записи" })}`,
  emptyTitle: "Пока нет ни одного завершённого запроса.",
  empty: "Каждый запрос попадает сюда, когда на него ответили, вы или кто-то другой, с отметкой, сколько он ждал.",
  noMatchTitle: "Ничего не найдено.",
  noMatch: "Попробуйте другое слово или сбросьте фильтры.",
  project: "Проект",
  session: "Сеанс",
  server: "Сервер",
  at: "Когда",
  text: "Полный текст запроса",
};
