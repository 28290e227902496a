import type { Catalogue } from "..";
import { activity } from "./activity";
import { allow } from "./allow";
import { card } from "./card";
import { grants } from "./grants";
import { inbox } from "./inbox";
import { judge } from "./judge";
import { modes } from "./modes";
import { opinions } from "./opinions";
import { pictures } from "./pictures";
import { preferences } from "./preferences";
import { questions } from "./questions";
import { rules } from "./rules";
import { saved } from "./saved";
import { servers } from "./servers";
import { time } from "./time";
import { unasked } from "./unasked";
import { verdict } from "./verdict";

const numbers = new Intl.NumberFormat("ru");

export const ru: Catalogue = {
  tag: "ru",
  app: {
    name: "Gavel",
    views: "Разделы",
    starting: "Запуск …",
    noAnswer: "Ядро Gavel не отвечает.",
    again: "Повторить",
    dismiss: "Скрыть",
    pause: "Приостановить уведомления",
    resume: "Включить уведомления",
    pauseShort: "Пауза",
    paused: "Приостановлено",
    keys: "Сочетания клавиш",
    keysShort: "Клавиши",
    unknown: "Что-то пошло не так.",
  },
  keys: {
    title: "Сочетания клавиш",
    close: "Закрыть",
    deciding: "Ответ",
    moving: "Перемещение",
    approve: "Разрешить",
    grant: "Разрешить на сеанс; сначала видно, на что это распространится",
    decline: "Отклонить или отменить вопрос; Enter отправляет, Esc отменяет",
    all: "Разрешить или отклонить все одинаковые запросы",
    stop: "Стоп: отказать и завершить работу агента",
    retry: "Отправить недоставленный ответ ещё раз",
    choose: "Выбрать вариант ответа на вопрос",
    answer: "Отправить ответ на вопрос; в многострочном поле Ctrl+Enter",
    next: "Следующий запрос",
    previous: "Предыдущий запрос",
    card: "Перейти к запросу",
    back: "Назад к списку",
    help: "Показать эти клавиши",
    note: "Клавиши не действуют, пока вы пишете в поле, и сразу после того, как запрос на экране сменился сам.",
  },
  time,
  /** A number as it is written. */
  number: (value: number) => numbers.format(value),
  inbox,
  allow,
  activity,
  opinions,
  pictures,
  card,
  modes,
  judge,
  grants,
  servers,
  rules,
  saved,
  preferences,
  questions,
  unasked,
  verdict,
};
