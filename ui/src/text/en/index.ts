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

const numbers = new Intl.NumberFormat("en");

export const en = {
  /** The tag of the language, for the document. */
  tag: "en",
  app: {
    name: "Gavel",
    views: "Views",
    starting: "Starting …",
    noAnswer: "Gavel’s core does not answer.",
    again: "Try again",
    dismiss: "Dismiss",
    pause: "Pause notifications",
    resume: "Resume notifications",
    pauseShort: "Pause",
    paused: "Paused",
    keys: "Keyboard shortcuts",
    keysShort: "Keys",
    unknown: "Something went wrong.",
  },
  keys: {
    title: "Keyboard shortcuts",
    close: "Close",
    deciding: "Answering",
    moving: "Moving about",
    approve: "Approve",
    grant: "Allow for the session; shows first what that covers",
    decline: "Decline, or cancel a question; Enter sends, Esc cancels",
    all: "Approve or decline all identical requests",
    stop: "Stop: refuses and ends the run",
    retry: "Send an undelivered answer again",
    choose: "Choose an option of a question",
    answer: "Send the answer to a question; Ctrl+Enter in a field with several lines",
    next: "Next request",
    previous: "Previous request",
    card: "Go to the request",
    back: "Back to the list",
    help: "Show these keys",
    note: "Keys do nothing while you type in a field, and nothing right after the request on screen changed by itself.",
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
