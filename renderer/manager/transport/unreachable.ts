// The player did not respond: it is away, or the connection broke before or during its response.

import { t } from "../../locales/messages.ts";

export class Unreachable extends Error {
  constructor() {
    super(t("manager.noResponse"));
    this.name = "Unreachable";
  }
}
