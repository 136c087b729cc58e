// Mounts a root component into the manager's page, with the styles of all of them.

import "./base-layer.css";
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.layer.css";
import "@mantine/dates/styles.layer.css";
import "@mantine/charts/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./manager.css";
import "../components/layout/layout.css";
import "../components/controls/controls.css";

import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { direction, language } from "../../locales/language.ts";

export function mount(root: ReactNode): void {
  const place = document.getElementById("root");
  if (!place) throw new Error("The page has no place for the manager.");
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  createRoot(place).render(<StrictMode>{root}</StrictMode>);
}
