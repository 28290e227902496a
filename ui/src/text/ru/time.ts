import { momentsOf } from "../moments";

export const time = momentsOf("ru", {
  second: "с",
  minute: "мин",
  hour: "ч",
  day: "д",
  today: "Сегодня",
  yesterday: "Вчера",
  ago: (duration) => `${duration} назад`,
});
