import { momentsOf } from "../moments";

export const time = momentsOf("en", {
  second: "s",
  minute: "min",
  hour: "h",
  day: "d",
  today: "Today",
  yesterday: "Yesterday",
  ago: (duration) => `${duration} ago`,
});
