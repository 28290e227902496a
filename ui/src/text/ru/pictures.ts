import type { Catalogue } from "..";
import { pluralOf } from "../plural";

const plural = pluralOf("ru");
const days = (count: number) =>
  plural(count, {
    one: "последний # день",
    few: "последние # дня",
    many: "последние # дней",
    other: "последние # дня",
  });

export const pictures: Catalogue["pictures"] = {
  asTable: "Таблицей",
  asTableOf: (title) => `Показать таблицей: ${title}`,
  day: "День",
  byEnding: "Запросы по дням и исходам",
  byAnswerer: "Запросы по дням: кто ответил",
  waited: "Медиана ожидания",
  waitedSays: (duration) => `Половина запросов, на которые ответил человек, ждала меньше ${duration}.`,
  asked: "О чём вас спрашивали чаще всего",
  askedSays: "Команды, которые вы ни разу не отклонили, могут стать правилом.",
  what: "Запрос",
  times: (allowed, declined) =>
    [
      plural(allowed, {
        one: "разрешено # раз",
        few: "разрешено # раза",
        many: "разрешено # раз",
        other: "разрешено # раза",
      }),
      ...(declined
        ? [
            plural(declined, {
              one: "отклонено # раз",
              few: "отклонено # раза",
              many: "отклонено # раз",
              other: "отклонено # раза",
            }),
          ]
        : []),
    ].join(", "),
  letPass: "Впредь пропускать",
  letPassOf: (title) => `Впредь пропускать: ${title}`,
  passes: "Отныне проходит — в точности как здесь.",
  takeBack: "Отменить",
  takeBackOf: (title) => `Отменить: впредь пропускать: ${title}`,
  total: (count, last) =>
    `${plural(count, { one: "# запрос", few: "# запроса", many: "# запросов", other: "# запроса" })} за ${days(last)}`,
  emptyTitle: "Рисовать пока нечего.",
  empty: (last) => `За ${days(last)} таких запросов не завершалось.`,
};
