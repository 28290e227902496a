import type { Link, Origin } from "../../bindings/api";
import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");

/** The state of a connection in words. */
function state(link: Link): string {
  switch (link.state) {
    case "connecting":
      return "Подключение …";
    case "online":
      return "На связи";
    case "offline":
      return link.gone ? "Исчез" : "Нет связи";
    case "needs_password":
      return link.refused ? "Пароль не принят" : "Нужен пароль";
    case "not_open_code":
      return "Это не сервер OpenCode";
  }
}

/** More about that state; empty if there is nothing to add. `sentence` makes one of the backend's words. */
function detail(link: Link, sentence: (message: string) => string): string {
  switch (link.state) {
    case "connecting":
      return "";
    case "online":
      return link.version ? `OpenCode ${link.version}` : "";
    case "offline":
      return `${sentence(link.reason)} ${
        link.gone ? "По этому адресу больше никто не отвечает." : "Gavel пробует снова и снова."
      }`;
    case "needs_password":
      return link.refused
        ? "Сервер не принимает пароль, который есть у Gavel."
        : "Сервер защищён. Пока Gavel не знает пароля, увидеть там ничего нельзя.";
    case "not_open_code":
      return `${sentence(link.reason)} ${
        link.gone ? "Этот адрес заняла другая программа." : "Этой программе ничего не отправляется."
      }`;
  }
}

function origin(how: Origin): string {
  switch (how) {
    case "settings":
      return "добавлен вами";
    case "discovered":
      return "найден на этом компьютере";
    case "demo":
      return "встроенная демонстрация";
  }
}

export const servers: Catalogue["servers"] = {
  title: "Серверы",
  list: "Серверы под наблюдением",
  state,
  detail,
  origin,
  waiting: (count) =>
    count === 0
      ? "Ничего не ожидает"
      : plural(count, {
          one: "# запрос ожидает",
          few: "# запроса ожидают",
          many: "# запросов ожидают",
          other: "# запроса ожидают",
        }),
  synced: (ago) => `синхронизирован ${ago}`,
  neverSynced: "ещё не синхронизирован",
  heard: (ago) => `последний сигнал ${ago}`,
  lastError: (error) => `Последняя ошибка: ${error}`,

  add: "Добавить сервер",
  address: "Адрес",
  addressHint: "http://127.0.0.1:4096",
  name: "Название",
  nameHint: "Необязательно",
  addButton: "Добавить",
  adding: "Добавляем …",
  remove: "Удалить",
  removeNamed: (name) => `Удалить ${name}`,
  removed: (name) => `Удалён: ${name}`,
  leaving: (seconds) => `за ним больше не следят; вернуть можно ещё ${seconds} с`,
  undo: "Вернуть",
  undoNamed: (name) => `Вернуть ${name}`,

  password: "Пароль",
  passwordFrom: {
    nowhere: "Без пароля",
    keychain: "Пароль в хранилище",
    variable: (name) => `Пароль из $${name}`,
  },
  variableUnset: (name) =>
    `Переменная окружения ${name} не задана в окружении Gavel. Задайте её и запустите Gavel заново.`,
  setPassword: "Задать пароль",
  changePassword: "Сменить пароль",
  passwordForgotten: (seconds) => `Пароль забыт; вернуть его можно ещё ${seconds} с.`,
  undoForgetting: (name) => `Вернуть пароль: ${name}`,
  forget: "Забыть пароль",
  username: "Имя пользователя",
  usernameHint: "opencode",
  keepInKeychain: "Сохранить в хранилище",
  whereToKeep: "Откуда брать пароль",
  inKeychain: "Хранилище",
  inVariable: "Переменная окружения",
  keychainNote: "Хранит операционная система, а не файл Gavel.",
  noKeychain: "Хранилища паролей здесь нет, поэтому Gavel не может сохранить пароль.",
  noKeychainAlternative:
    "Вместо этого положите его в переменную окружения и укажите какую. Gavel запомнит только её имя.",
  variable: "Имя переменной",
  variableHint: "OPENCODE_SERVER_PASSWORD",
  useVariable: "Брать из этой переменной",
  cancel: "Отмена",
  saving: "Сохраняем …",

  emptyTitle: "Ни один сервер не под наблюдением.",
  emptyDiscover: "Запустите opencode serve в проекте: сервер найдётся сам. Сервер в другом месте добавьте по адресу.",
  emptyNoDiscover:
    "Поиск серверов на этом компьютере выключен. Добавьте сервер по адресу или включите поиск в настройках.",
};
