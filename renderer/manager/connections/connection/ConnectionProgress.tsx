// Download progress: amount, speed and remaining time, in total and per file.

import { Progress } from "@mantine/core";
import type { ReactNode } from "react";
import type { SyncProgressV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly name: string;
  readonly progress: SyncProgressV2;
}

export function ConnectionProgress({ name, progress }: Props): ReactNode {
  const { received_bytes: received, total_bytes: total } = progress;
  const share = total === 0 ? 0 : Math.min(100, (received / total) * 100);
  return (
    <div className="connection-progress">
      <Progress
        value={share}
        aria-label={t("connections.progress.title", { name })}
        transitionDuration={0}
      />
      <p className="progress-words quiet">
        <span>
          {t("connections.progress.files", {
            done: progress.files_done,
            total: progress.files_total,
          })}
        </span>
        <span>
          {t("connections.progress.bytes", {
            received: formats.size(received),
            total: formats.size(total),
          })}
        </span>
        <span>
          {t("connections.progress.speed", {
            size: formats.size(progress.bytes_per_second),
          })}
        </span>
        {progress.seconds_left === null ? null : (
          <span>
            {t("connections.progress.remaining", {
              duration: formats.length(progress.seconds_left),
            })}
          </span>
        )}
      </p>
      <ul className="progress-files">
        {progress.files.map((file) => (
          <li key={file.remote_id}>
            <bdi>{file.name}</bdi>{" "}
            <span className="quiet">
              {file.total_bytes === null
                ? formats.size(file.received_bytes)
                : t("connections.progress.bytes", {
                    received: formats.size(file.received_bytes),
                    total: formats.size(file.total_bytes),
                  })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
