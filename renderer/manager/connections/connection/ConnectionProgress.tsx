// Download progress: amount, speed and remaining time, in total and per file.

import { Progress } from "@mantine/core";
import type { ReactNode } from "react";
import type { SyncProgressV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { formats } from "../../../locales/language.ts";
import { texts } from "../../texts/texts.ts";

const words = texts.cloud;

interface Props {
  readonly name: string;
  readonly progress: SyncProgressV2;
}

export function ConnectionProgress({ name, progress }: Props): ReactNode {
  const { received_bytes: received, total_bytes: total } = progress;
  const share = total === 0 ? 0 : Math.min(100, (received / total) * 100);
  return (
    <div className="account-progress">
      <Progress
        value={share}
        aria-label={words.progress(name)}
        transitionDuration={0}
      />
      <p className="progress-words quiet">
        <span>
          {words.progressFiles(progress.files_done, progress.files_total)}
        </span>
        <span>
          {words.progressBytes(formats.size(received), formats.size(total))}
        </span>
        <span>{words.speed(formats.size(progress.bytes_per_second))}</span>
        {progress.seconds_left === null ? null : (
          <span>{words.left(progress.seconds_left)}</span>
        )}
      </p>
      <ul className="progress-files">
        {progress.files.map((file) => (
          <li key={file.remote_id}>
            <bdi>{file.name}</bdi>{" "}
            <span className="quiet">
              {file.total_bytes === null
                ? formats.size(file.received_bytes)
                : words.progressBytes(
                    formats.size(file.received_bytes),
                    formats.size(file.total_bytes),
                  )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
