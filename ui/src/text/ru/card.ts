import type { Status } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");
const digits = new Intl.NumberFormat("ru");
const fraction = new Intl.NumberFormat("ru", { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const times = (count: number) => plural(count, { one: "# раз", few: "# раза", many: "# раз", other: "# раза" });
const requests = (count: number) =>
  plural(count, { one: "# запрос", few: "# запроса", many: "# запросов", other: "# запроса" });

const statuses: Record<Status, string> = {
  ok: "Ответил",
  no_key: "Нет ключа",
  http_error: "Ошибка HTTP",
  network_error: "Недоступен",
  timed_out: "Не успел",
  truncated: "Ответ оборван",
  unparsed: "Ответ непонятен",
};

export const card: Catalogue["card"] = {
  title: "Табель судей",
  intro: "Что говорили судьи и что вы решали сами. То, на что ответили правила, разрешения или судья, не считается.",
  empty: "Ни один судья ещё ничего не сказал.",
  offline: "Разбор на этом компьютере",
  unnamed: "Модель, не названная в записях",
  shadow: "Теневой режим:",
  shadowMeans: (model) =>
    `вне режима «Авто» судью ${model} спрашивают о каждом запросе, но отвечаете вы. Его мнение сравнивается с вашим решением.`,
  auto: "Можно ли доверить ему «Авто»?",
  autoRule: (answers, allowed, days) =>
    `«Авто» в проекте выглядит безопасно, если за ${days} дн. вы сами решили не менее ${requests(answers)} с его мнением, если не менее ${requests(allowed)} разрешили вы оба и если он не разрешил бы ничего из того, что вы отклонили. Gavel никогда не переключает режим сам.`,
  autoNone: "Вы ещё не решали запросов, о которых у него было мнение.",
  autoSafe: (answers) =>
    `«Авто» здесь выглядит безопасно: ${plural(answers, { one: "# ваш ответ", few: "# ваших ответа", many: "# ваших ответов", other: "# ваших ответа" })}.`,
  autoNotYet: "пока рано.",
  missingLenient: (count) => `Он разрешил бы ${requests(count)} из тех, что вы отклонили.`,
  missingAnswers: (count) =>
    plural(count, {
      one: "Нужен ещё # ваш ответ.",
      few: "Нужны ещё # ваших ответа.",
      many: "Нужно ещё # ваших ответов.",
      other: "Нужно ещё # ваших ответа.",
    }),
  missingAllowed: (count) => `Ещё ${requests(count)} должны разрешить вы оба.`,
  toModes: "Выбрать режим …",
  lenient: (count, of) =>
    `Он разрешил бы ${requests(count)} из тех, что вы отклонили (сравнено: ${digits.format(of)}).`,
  neverLenient: (of) => `Он не разрешил бы ничего из того, что вы отклонили (сравнено: ${digits.format(of)}).`,
  lenientCases: "Он разрешил бы, вы отклонили",
  strictCases: "Он отклонил бы, вы разрешили",
  strict: (count) => `Он отклонил бы ${requests(count)} из тех, что вы разрешили`,
  because: "Его довод:",
  youWrote: (words) => `Вы написали: ${words}`,
  furtherCases: (count) => `И ещё ${digits.format(count)}.`,
  agreed: "Совпало с вами",
  agreedOf: (agreed, of) => `${digits.format(agreed)} из ${digits.format(of)} (${Math.floor((agreed / of) * 100)} %)`,
  nothingToCompare: "Сравнивать пока нечего",
  undecided: "Оставлено вам",
  asked: "Спрошен",
  times,
  took: "Время ответа",
  seconds: (seconds) => `${fraction.format(seconds)} с`,
  tookOf: (median, high) => `медиана ${median}, 95 из 100 не дольше ${high}`,
  failures: "Мнения нет",
  failed: (status, detail, count) => `${status}${detail ? ` ${detail}` : ""}: ${times(count)}`,
  statuses,
  tokens: "Токены",
  tokensOf: (asked, answered) => `вопросы ${digits.format(asked)}, ответы ${digits.format(answered)}`,
};
