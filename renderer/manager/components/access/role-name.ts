// Roles and their limits in words.

import type { Role } from "../../../../server/core/role.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";

/** A deleted label has no name. */
export function roleName(
  role: Role,
  labels: readonly { readonly name: string | null }[] | null,
): string {
  const name = t(`team.roles.${role}`);
  if (labels === null) return name;
  const names = labels.map((label) => label.name ?? t("alerts.unknownLabel"));
  return t("team.limited", { role: name, labels: formats.list(names) });
}
