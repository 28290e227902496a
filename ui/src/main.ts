import { mount } from "svelte";

import App from "./App.svelte";
import { pickHost } from "./host";
import { Gavel } from "./state/gavel.svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import { text } from "./text";

document.documentElement.lang = text.tag;
const target = document.getElementById("app");
if (!target) throw new Error("the page has no place for the window");
const gavel = new Gavel(await pickHost());
mount(App, { target, props: { gavel } });
void gavel.start();
