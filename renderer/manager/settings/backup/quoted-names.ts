// A list of names in a sentence, each in quotation marks.

import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";

export function quotedNames(names: readonly string[]): string {
  return formats.list(
    names.map((name) => t("settings.restore.quotedName", { name })),
  );
}
