// A list of names in a sentence, each in quotation marks.

import { t } from "../../locales/messages.ts";

export function quotedNames(names: readonly string[]): string {
  return names
    .map((name) => t("settings.restore.quotedName", { name }))
    .join(", ");
}
