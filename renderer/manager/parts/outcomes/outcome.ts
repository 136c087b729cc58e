// How the desk says what came of something: quietly when it went well; what failed stays until it is read, or goes well.

import { notifications } from "@mantine/notifications";
import { reasonOf } from "../../api.ts";
import { onOperation, Refusal } from "../../operations.ts";
import { texts } from "../../texts/texts.ts";

/** Long enough to be read twice. */
const readMs = 5_000;

export const closeButtonProps = { size: 44, "aria-label": texts.manager.close };

export function notifySuccess(title: string, message = ""): void {
  notifications.show({
    title,
    message,
    role: "status",
    autoClose: readMs,
    closeButtonProps,
  });
}

/** While it is there under this name, it is not said again. */
export function notifyOnce(id: string, title: string): void {
  notifications.show({
    ...{ id, title, message: "", role: "status", autoClose: readMs },
    closeButtonProps,
  });
}

/** Nobody has to be quick to learn a reason, and none covers the page for ever; the pointer on it holds the time. */
const failedMs = 90_000;

/** What failed and is still said, by what was tried. */
const noticeIds = new Map<string, string>();

onOperation((_operation, attempt) => {
  const id = noticeIds.get(attempt);
  if (id !== undefined) notifications.hide(id);
});

/** Goes when the same succeeds; said once more, it takes the place of what was said before. */
export function notifyFailure(title: string, error: unknown): void {
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
