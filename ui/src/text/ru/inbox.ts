import type { Decision } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");
/** Of how many others, in the accusative. */
const others = (count: number) =>
  count === 1
    ? "второй запрос"
    : plural(count, {
        one: "ещё # запрос",
        few: "ещё # запроса",
        many: "ещё # запросов",
        other: "ещё # запроса",
      });
const newRequests = (count: number) =>
  plural(count, {
    one: "# новый запрос",
    few: "# новых запроса",
    many: "# новых запросов",
    other: "# нового запроса",
  });

/** What is being done, in the gerund. */
function doing(decision: Decision): string {
  switch (decision.kind) {
    case "allow_once":
      return "Разрешаем …";
    case "allow_for_session":
      return "Разрешаем на сеанс …";
    case "allow_always":
      return "Разрешаем навсегда …";
    case "decline":
      return "Отклоняем …";
    case "stop":
      return "Останавливаем агента …";
  }
}

/** What was meant to be done and could not be delivered. */
function undelivered(decision: Decision): string {
  switch (decision.kind) {
    case "allow_once":
      return "Ваше разрешение не удалось доставить";
    case "allow_for_session":
      return "Ваше разрешение на сеанс не удалось доставить";
    case "allow_always":
      return "Ваше постоянное разрешение не удалось доставить";
    case "decline":
      return "Ваш отказ не удалось доставить";
    case "stop":
      return "Ваш приказ остановиться не удалось доставить";
  }
}

export const inbox: Catalogue["inbox"] = {
  title: "Входящие",
  list: "Ожидающие запросы",
  waiting: (count) => plural(count, { one: "# ожидает", few: "# ожидают", many: "# ожидают", other: "# ожидают" }),

  where: "Где",
  who: "Кто",
  workdir: "Папка запуска",
  serves: "Вы просили",
  purpose: "Агент говорит",
  note: "Плагин говорит",
  agentsWords: "слова самого агента",
  resources: "Что проверил сервер",
  text: "Полный текст",
  raw: "Всё, что прислал сервер",
  waitingFor: (duration) => `ждёт ${duration}`,
  onServer: (server) => `на ${server}`,
  size: (lines, characters) =>
    `${plural(lines, { one: "# строка", few: "# строки", many: "# строк", other: "# строки" })}, ${plural(characters, {
      one: "# символ",
      few: "# символа",
      many: "# символов",
      other: "# символа",
    })}`,

  deceptive:
    "В этом тексте есть невидимые символы или символы, меняющие то, как он читается. Они выписаны и выделены: читайте то, что там стоит, а не то, на что это похоже.",
  deceptiveShort: "скрытые символы",
  invisible: "скрытый символ",
  offline: (server) => `${server} сейчас недоступен. Показанное могло устареть, а ответ может не дойти.`,
  offlineShort: "нет связи",
  siblings: (count) => `Отказ отклонит и ${others(count)} этого сеанса.`,

  diff: "Изменение",
  diffCount: (added, removed) => `добавлено ${added}, удалено ${removed}`,
  added: "добавлено",
  removed: "удалено",

  identical: (count, projects) =>
    `${plural(count, {
      one: "Ожидает # одинаковый запрос",
      few: "Ожидают # одинаковых запроса",
      many: "Ожидают # одинаковых запросов",
      other: "Ожидают # одинаковых запроса",
    })}, в ${projects.join(", ")}.`,
  answerAll: "Ответить на все одинаковые запросы",
  approveAll: (count) => `Разрешить все ${count}`,
  declineAll: (count) => `Отклонить все ${count}`,
  approve: "Разрешить",
  decline: "Отклонить",
  stop: "Стоп",
  stopHint: "Завершает работу агента",
  retry: "Повторить",
  actions: "Ответ",

  reason: "Почему нет? Агент прочитает это и продолжит.",
  reasonHint: "Необязательно. «Используй pnpm вместо npm.»",
  sendDecline: "Отклонить",
  cancel: "Отмена",
  goOn: "Дальше",
  ghost: "На этот запрос тем временем ответили, отклонять больше нечего.",

  doing,
  undelivered: (decision, why) => `${undelivered(decision)}: ${why}.`,
  undeliveredShort: "не доставлено",
  guarded: "Запрос на экране только что сменился, поэтому ничего не отправлено. Прочитайте его и нажмите ещё раз.",

  pausedNote: "Уведомления приостановлены.",
  resume: "Включить",
  offlineServers: (names) => `Нет связи: ${names.join(", ")}.`,
  toServers: "Серверы",

  readFirst: "Есть ещё непрочитанное: оно выведено на экран. Разрешите, когда прочитаете.",

  emptyTitle: "Ничего не ожидает.",
  empty: (servers) =>
    `Gavel следит за ${plural(servers, {
      one: "# сервером",
      few: "# серверами",
      many: "# серверами",
      other: "# сервера",
    })}. Как только агенту понадобится разрешение, запрос появится здесь, и вы об этом узнаете.`,
  emptyRules:
    "Вас никогда не спрашивают? Значит, правила OpenCode разрешают всё. С этими строками в opencode.json проекта он начнёт спрашивать:",
  emptyRulesExample: '{ "permission": { "bash": "ask", "edit": "ask" } }',
  emptyLocked: (names) =>
    `${names.join(", ")}: ${names.length === 1 ? "нужен пароль" : "нужны пароли"}. Пока пароля нет, оттуда ничего не придёт.`,
  emptyOffline: "Ни один из серверов сейчас не доступен, поэтому прийти ничего не может.",
  emptyJudged:
    "О каждом запросе спрашивают и модель, которая работает в его сеансе: что она думает. Вне режима «Авто» она ни на что не отвечает. В разделе «Судья» можно выбрать другую модель или никого.",
  toJudge: "Выбрать судью",
  firstTitle: "Серверов пока нет.",
  first: "Gavel следит за серверами OpenCode. Запустите сервер в своём проекте:",
  firstCommand: "opencode serve",
  firstDiscover: "Через несколько секунд он найдётся сам.",
  firstNoDiscover: "Поиск серверов выключен в настройках, поэтому добавьте адрес в разделе «Серверы».",
  firstTui:
    "Обычный opencode в терминале не открывает порта, и следить за ним нельзя. Задайте ему порт или подключите его к серверу:",
  firstTuiCommand: "opencode --port 4096",
  firstAdd: "Добавить сервер по адресу",

  arrived: (headline, project) => `Новый запрос: ${headline}, в ${project}`,
  arrivedMany: newRequests,
  waitingNow: (count) =>
    count === 0
      ? "Запросов нет"
      : plural(count, {
          one: "# запрос ожидает",
          few: "# запроса ожидают",
          many: "# запросов ожидают",
          other: "# запроса ожидают",
        }),
  movedTo: (headline) => `Ответ дан. Теперь на экране: ${headline}`,
  allSettled: "Ответ дан. Больше ничего не ожидает.",
};
