// How the desk says what came of something: quietly when it went well, to be closed by hand when not.

import { notifications } from "@mantine/notifications";
import { reasonOf } from "../api.ts";
import { texts } from "../texts/texts.ts";

/** Long enough to be read twice. */
const readMs = 5_000;

export const closeButtonProps = { size: 44, "aria-label": texts.desk.close };

export function sayDone(title: string, message = ""): void {
  notifications.show({
    title,
    message,
    role: "status",
    autoClose: readMs,
    closeButtonProps,
  });
}

/** While it is there under this name, it is not said again. */
export function sayOnce(id: string, title: string): void {
  notifications.show({
    ...{ id, title, message: "", role: "status", autoClose: readMs },
    closeButtonProps,
  });
}

/** A refusal stays until it is closed: nobody has to be quick to learn a reason. */
export function sayFailed(title: string, error: unknown): void {
  notifications.show({
    title,
    message: reasonOf(error),
    color: "red",
    role: "alert",
    autoClose: false,
    closeButtonProps,
  });
}
