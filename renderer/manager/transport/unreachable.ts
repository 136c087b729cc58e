// The server did not respond: it is away, or the connection broke before or during its response.

import { t } from "../../locales/messages.ts";

export class Unreachable extends Error {
  constructor(sentence = t("manager.noResponse")) {
    super(sentence);
    this.name = "Unreachable";
  }
}
