import type { FieldKind, Format, Response } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";
import { problem } from "./problems";

const plural = pluralOf("ru");
/** In the nominative, after a plain number. */
const characters = (count: number) =>
  plural(count, { one: "# символ", few: "# символа", many: "# символов", other: "# символа" });
const answers = (count: number) =>
  plural(count, { one: "# ответ", few: "# ответа", many: "# ответов", other: "# ответа" });
/** In the genitive, after “not less than”, “from” and “to”. */
const ofCharacters = (count: number) =>
  plural(count, { one: "# символа", few: "# символов", many: "# символов", other: "# символа" });
const ofAnswers = (count: number) =>
  plural(count, { one: "# ответа", few: "# ответов", many: "# ответов", other: "# ответа" });

const formats: Record<Format, string> = {
  email: "Адрес электронной почты, например name@example.com.",
  uri: "Полный адрес, например https://example.com/page.",
  date: "Дата, например 2026-11-30.",
  "date-time": "Дата и время с часовым поясом, например 2026-11-30T19:43:00Z.",
};

/** From … to …, of which one may be open. */
function range(
  least: number | null,
  most: number | null,
  exactly: (count: number) => string,
  of: (count: number) => string,
): string {
  if (least !== null && most !== null)
    return least === most ? `Ровно ${exactly(least)}.` : `От ${least} до ${of(most)}.`;
  if (least !== null) return `Не меньше ${of(least)}.`;
  return most === null ? "" : `Не больше ${of(most)}.`;
}

/** What a field takes, as far as it is limited. */
function takes(kind: FieldKind): string {
  switch (kind.kind) {
    case "text": {
      const format = kind.format ? formats[kind.format] : "";
      return [format, range(kind.min_length, kind.max_length, characters, ofCharacters)].filter(Boolean).join(" ");
    }
    case "number": {
      const what = kind.whole ? "Целое число" : "Число";
      const { minimum, maximum } = kind;
      if (minimum !== null && maximum !== null) return `${what} от ${minimum} до ${maximum}.`;
      if (minimum !== null) return `${what} не меньше ${minimum}.`;
      return maximum === null ? `${what}.` : `${what} не больше ${maximum}.`;
    }
    case "multiselect":
      return range(kind.min_items, kind.max_items, answers, ofAnswers) || "Сколько угодно вариантов.";
    default:
      return "";
  }
}

/** What is being done. */
function doing(response: Response): string {
  return response.response === "answer" ? "Отправляем ответ …" : "Отменяем вопрос …";
}

export const questions: Catalogue["questions"] = {
  card: "Вопрос",
  count: (count) => plural(count, { one: "# вопрос", few: "# вопроса", many: "# вопросов", other: "# вопроса" }),
  arrived: (headline, project) => `Новый вопрос: ${headline}, в ${project}`,
  required: "обязательно",
  takes,
  pattern: "Должно подходить под регулярное выражение:",
  yes: "Да",
  no: "Нет",
  own: "Другой ответ",
  ownMany: "Другие ответы, по одному в строке",
  skip: "Пропустить",
  skipNamed: (question) => `Пропустить: ${question}`,
  skipped: "Пропущено.",
  unskip: "Ответить",
  unskipNamed: (question) => `Всё-таки ответить: ${question}`,
  link: "Это нужно сделать по этому адресу, вне Gavel:",
  open: "Открыть в браузере",
  copyLink: "Копировать адрес",
  cantOpen: "Gavel открывает только адреса http и https. Скопируйте его, если доверяете ему.",
  done: "Сделано",
  unknown: "Этой версии Gavel такой вид вопросов не знаком. Вот что прислал сервер:",
  unanswerable:
    "Один из обязательных вопросов такого вида, которого Gavel не знает. Здесь его можно отменить, а ответить — в терминале.",
  send: "Отправить ответ",
  sendHint: "В многострочном поле отправляет Ctrl+Enter.",
  cancel: "Отменить вопрос",
  cancelReason: "Почему нет? Агент прочитает это и продолжит. Без причины его работа завершится.",
  cancelReasonHint: "«Реши сам.»",
  cancelEnds: "Этот сервер не передаёт причин: агент узнает, что вы закрыли вопрос, и его работа завершится.",
  keep: "Оставить",
  nothing: "Пока ни на что не отвечено. Ответьте на что-нибудь или отмените вопрос.",
  refused: "Сервер не принял этот ответ:",
  ghost: "Пока вы отвечали, вопрос решили в другом месте. Отправить набранное уже нельзя, но можно скопировать.",
  unkept: "Набранное не сохраняется: отправьте его, прежде чем закрыть Gavel.",
  copyTyped: "Копировать набранное",
  copied: "Скопировано.",
  notCopied: "Скопировать не удалось: выделите вручную.",
  problem,
  goOn: "Дальше",
  doing,
  undelivered: (response, why) =>
    `${response.response === "answer" ? "Ваш ответ" : "Вашу отмену"} не удалось доставить: ${why}.`,
};
