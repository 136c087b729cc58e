// Why a change that needs the password, or a code, was rejected: a sentence for people.

import { t } from "../../locales/messages.ts";
import { reasonOf } from "../api/reason.ts";
import { Refusal } from "../api/refusal.ts";

export function confirmationReason(error: unknown): string {
  if (!(error instanceof Refusal)) return reasonOf(error);
  if (error.code === "too-many") return t("session.tooMany");
  const { fields } = error;
  if (fields?.["code"]) return t("account.wrongCode");
  if (fields?.["password"] ?? fields?.["current_password"])
    return t("account.wrongPassword");
  return error.message;
}
