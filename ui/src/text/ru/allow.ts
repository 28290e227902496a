import type { Always, Hazard } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

const always: Record<Always, string> = {
  project: "Всегда в этом проекте …",
  until_restart: "Всегда, до перезапуска OpenCode …",
};
const alwaysTitle: Record<Always, string> = {
  project: "Всегда разрешать в этом проекте",
  until_restart: "Всегда разрешать до перезапуска OpenCode",
};
const alwaysMeans: Record<Always, string> = {
  project:
    "Эти шаблоны проходят без вопросов в каждом сеансе этого проекта, навсегда, в том числе после перезапуска. То, что запрещено в конфигурации, остаётся запрещённым. Отозвать их можно в разделе «Серверы», «Постоянные разрешения».",
  until_restart:
    "Эти шаблоны проходят без вопросов в каждом сеансе этого проекта, пока работает этот сервер OpenCode, даже там, где его конфигурация их запрещает. Раньше отозвать их нельзя.",
};
const alwaysYes: Record<Always, string> = {
  project: "Всегда разрешать это",
  until_restart: "Разрешить до перезапуска OpenCode",
};

/** What is the matter with a pattern: words around a piece of code. */
function hazard(hazard: Hazard, action: string): { before: string; code: string; after: string } {
  switch (hazard.hazard) {
    case "everything":
      return { before: `Подходит ко всему, о чём может спросить ${action}.`, code: "", after: "" };
    case "broad":
      return { before: "Не указывает, о какой команде, папке или хосте речь.", code: "", after: "" };
    case "deletes":
      return { before: "Подходит к", code: hazard.example, after: ", а это удаляет данные или теряет работу." };
    case "runs_anything":
      return { before: "Пропускает любую команду:", code: hazard.program, after: " запускает всё, что ему дадут." };
    case "chained":
      return {
        before: "Этот сервер спрашивает о целых строках команд, поэтому шаблон подходит и к",
        code: hazard.example,
        after: "",
      };
  }
}

/** What goes on beside a plain approval. */
export const allow: Catalogue["allow"] = {
  open: "Разрешить на сеанс …",
  title: "Разрешить на этот сеанс",
  means:
    "Этот запрос будет разрешён, а отмеченное здесь с этого момента проходит без вопросов, но только в этом сеансе.",
  what: "Что разрешить",
  pattern: "Шаблон",
  narrow: "Сузить",
  narrowNamed: (pattern) => `Сузить ${pattern}`,
  instead: "Вместо этого:",
  insteadOf: (pattern) => `Вместо ${pattern}`,
  only: (pattern) => `Только ${pattern}`,
  asProposed: "Как предложено",
  narrowHint: "* означает любой текст, ? — один символ. Шаблон может стать только уже предложенного.",
  notEditable: "В нём есть скрытые символы: его можно взять как есть или оставить, но не изменить.",
  hidden: "Здесь есть невидимый символ. Наберите шаблон заново.",
  tooWide: (proposed) => `Нельзя поручиться, что это уже предложенного ${proposed}.`,
  empty: "Пустой шаблон не подходит ни к чему.",
  mistaken: "Один из шаблонов нельзя разрешить в таком виде.",
  nothing: "Ничего не отмечено, разрешать нечего.",
  hazard,

  reach: "На что это распространится",
  reachNothing: "Отмеченное сравнивается с прошлыми запросами.",
  looking: "Смотрим, что прошло бы …",
  unknown: "Не удалось выяснить, что прошло бы.",
  nothingRecorded: "Запросов этого проекта ещё нет в журнале, поэтому нельзя сказать, что прошло бы.",
  wouldPass: (passed, total, deletes, declined) => {
    const of = plural(total, {
      one: "# прошлого запроса",
      few: "# прошлых запросов",
      many: "# прошлых запросов",
      other: "# прошлого запроса",
    });
    const remarks = [
      deletes
        ? plural(deletes, {
            one: "# из них удаляет файлы",
            few: "# из них удаляют файлы",
            many: "# из них удаляют файлы",
            other: "# из них удаляют файлы",
          })
        : "",
      declined ? `${declined} из них вы отклонили` : "",
    ].filter(Boolean);
    if (total === 1) {
      const only = passed ? "Единственный прошлый запрос прошёл бы" : "Единственный прошлый запрос не прошёл бы";
      return `${[only, ...remarks].join(", ")}.`;
    }
    if (!passed) return `Не прошёл бы ни один из ${of}.`;
    return `${[`Прошло бы ${passed} из ${of}`, ...remarks].join(", ")}.`;
  },
  partly: (count) =>
    plural(count, {
      one: "Ещё # подходит лишь частично, о нём спросили бы всё равно.",
      few: "Ещё # подходят лишь частично, о них спросили бы всё равно.",
      many: "Ещё # подходят лишь частично, о них спросили бы всё равно.",
      other: "Ещё # подходят лишь частично, о них спросили бы всё равно.",
    }),
  matched: "Что подходит",
  others: "О чём спросили бы по-прежнему, например",
  chained: "Если этот сервер спрашивает о целых строках команд, шаблон подходит и к",

  children: "Также в сеансах его субагентов",
  lasts: "На какой срок",
  forSession: "Пока идёт сеанс",
  forQuarter: "15 минут",
  forHour: "1 час",
  forRun: "Пока агент не закончит работу",
  forUses: "На несколько раз",
  uses: "Сколько раз",
  badUses: "Целое число от 1 до 1000.",
  unclearUses: "Ещё не указано, сколько раз это можно использовать.",
  yes: (count) =>
    count === 1
      ? "Разрешить этот шаблон"
      : plural(count, {
          one: "Разрешить эти # шаблон",
          few: "Разрешить эти # шаблона",
          many: "Разрешить эти # шаблонов",
          other: "Разрешить эти # шаблона",
        }),
  none: "Разрешить",
  cancel: "Отмена",
  close: "Закрыть",
  back: "Назад",

  always,
  alwaysTitle,
  alwaysMeans,
  alwaysYes,
  patterns: "Что будет проходить с этого момента",

  knowing: (count) => (count === 1 ? "Помеченное мне тоже нужно" : `Все помеченные (${count}) мне тоже нужны`),
  unknowing: "Здесь есть шаблон с очень широким охватом. Поставьте отметку, если так и задумано.",

  gone: "На этот запрос тем временем ответили, разрешать больше нечего.",
  changed: "Тем временем об этом запросе стало известно больше. Закройте это окно и сначала прочитайте запрос.",
};
