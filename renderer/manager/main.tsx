// Mounts the manager into its page.

import "./base-layer.css";
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.layer.css";
import "@mantine/dates/styles.layer.css";
import "@mantine/charts/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./manager.css";
import "./components/controls/controls.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { guardLeaving } from "./leave-guard.ts";
import { watchPhoneCode } from "./session/phone-code.ts";
import { direction, language } from "../locales/language.ts";

const place = document.getElementById("root");
if (!place) throw new Error("The page has no place for the manager.");

document.documentElement.lang = language;
document.documentElement.dir = direction;
guardLeaving();
watchPhoneCode();
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
