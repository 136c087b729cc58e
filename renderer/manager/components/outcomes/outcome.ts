// Notices about results: success is shown briefly; a failure stays until it is read, or until the same action succeeds.

import { notifications } from "@mantine/notifications";
import { ChangeCanceled } from "../../api/change-canceled.ts";
import { reasonOf } from "../../api/reason.ts";
import { onOperation } from "../../api/refusal.ts";
import { Refusal } from "../../api/refusal.ts";
import { t } from "../../../locales/messages.ts";

/** Long enough to be read twice. */
const readMs = 5_000;

export const closeButtonProps = { size: 44, "aria-label": t("manager.close") };

export function notifySuccess(title: string, message = ""): void {
  notifications.show({
    title,
    message,
    role: "status",
    autoClose: readMs,
    closeButtonProps,
  });
}

/** Not repeated while a notice with this id is shown. */
export function notifyOnce(id: string, title: string): void {
  notifications.show({
    ...{ id, title, message: "", role: "status", autoClose: readMs },
    closeButtonProps,
  });
}

/** Long enough to read a reason without haste, but not covering the page forever; the pointer on it pauses the time. */
const failedMs = 90_000;

/** Failures still shown, by what was attempted. */
const noticeIds = new Map<string, string>();

onOperation((_operation, attempt) => {
  const id = noticeIds.get(attempt);
  if (id !== undefined) notifications.hide(id);
});

/** Disappears when the same action succeeds; a repeated failure replaces the previous notice. */
export function notifyFailure(title: string, error: unknown): void {
  if (error instanceof ChangeCanceled) return;
  const attempt = (error instanceof Refusal && error.attempt) || title;
  const before = noticeIds.get(attempt);
  if (before !== undefined) notifications.hide(before);
  const id: string = notifications.show({
    title,
    message: reasonOf(error),
    color: "red",
    role: "alert",
    autoClose: failedMs,
    closeButtonProps,
    onClose: () => {
      if (noticeIds.get(attempt) === id) noticeIds.delete(attempt);
    },
  });
  noticeIds.set(attempt, id);
}

/**
 * The end of every action whose failures are not expected: each reports those that are by itself. What is left is a fault of the
 * manager, and the operator sees that the action had no effect.
 */
export function notifyInternalError(error: unknown): void {
  notifyFailure(t("manager.windowFailed"), error);
}
