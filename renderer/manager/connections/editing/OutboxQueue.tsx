// Changes waiting to be sent to a content service: the progress of each, and the conflicts that a person must resolve.

import { Button, Flex, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { problemText, serviceFieldNames } from "../../api/problem-text.ts";
import type { SyncChangeV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { operate } from "../../api/operations.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { nameOfChange } from "./service-row.ts";

interface Props {
  readonly connectionId: string;
  readonly changes: readonly SyncChangeV2[];
  readonly onChanged: () => Promise<void>;
}

export function OutboxQueue(props: Props): ReactNode {
  return (
    <Flex
      direction="column"
      gap={8}
      component="section"
      aria-label={t("remoteEditing.queue")}
    >
      <Title order={4} mt={8} mx={0} mb={0} fz={14} lh="inherit">
        {t("remoteEditing.queue")}
      </Title>
      <ul className="panel-rows service-rows" data-inset>
        {props.changes.map((change) => (
          <Change key={change.change_id} {...props} change={change} />
        ))}
      </ul>
    </Flex>
  );
}

function Change(props: Props & { readonly change: SyncChangeV2 }): ReactNode {
  const { connectionId, change, onChanged } = props;
  const { state, action, reason, conflicts, file } = change;
  const name = nameOfChange(change);
  const parameters = { id: connectionId, change: change.change_id };
  const submit = (operation: Promise<unknown>, failure: string) => {
    operation
      .catch((error: unknown) => {
        notifyFailure(failure, error);
      })
      .finally(() => {
        onChanged().catch(notifyInternalError);
      });
  };
  const choose = (choice: "mine" | "theirs") => {
    submit(
      operate("retrySyncChange", { parameters, body: { choose: choice } }),
      t("remoteEditing.resolveFailed"),
    );
  };
  const isStuck = state === "conflict" || state === "refused";
  return (
    <li data-tone={isStuck ? "waiting" : undefined}>
      <div className="panel-main">
        <p>
          {t(`remoteEditing.actions.${action}`)}: <bdi>{name}</bdi>
        </p>
        <p className="quiet">
          {t(`remoteEditing.states.${state}`)}
          {file && state === "sending"
            ? ` · ${t("remoteEditing.progress", { sent: formats.size(file.sent), total: formats.size(file.size) })}`
            : ""}
          {conflicts.length > 0
            ? ` · ${t("remoteEditing.conflicts", { fields: serviceFieldNames(conflicts) })}`
            : ""}
          {/* The reason of a conflict, in the manager's own words. */}
          {reason === null ||
          (state === "conflict" && conflicts.length > 0) ? null : (
            <>
              {" · "}
              <span dir="auto">{problemText(reason)}</span>
            </>
          )}
        </p>
      </div>
      {state === "conflict" ? (
        <>
          <Button
            variant="default"
            aria-label={t("remoteEditing.useTheirsNamed", { name })}
            onClick={() => {
              choose("theirs");
            }}
          >
            {t("remoteEditing.useTheirs")}
          </Button>
          <Button
            variant="default"
            aria-label={t("remoteEditing.keepMineNamed", { name })}
            onClick={() => {
              choose("mine");
            }}
          >
            {t("remoteEditing.keepMine")}
          </Button>
        </>
      ) : state === "refused" ? (
        <Button
          variant="default"
          aria-label={t("remoteEditing.retryNamed", { name })}
          onClick={() => {
            submit(
              operate("retrySyncChange", { parameters, body: {} }),
              t("remoteEditing.changeFailed"),
            );
          }}
        >
          {t("remoteEditing.retry")}
        </Button>
      ) : null}
      {state === "sending" ? null : (
        <Button
          variant="default"
          aria-label={t("remoteEditing.discardNamed", { name })}
          onClick={() => {
            submit(
              operate("deleteSyncChange", { parameters }),
              t("remoteEditing.discardFailed"),
            );
          }}
        >
          {t("remoteEditing.discard")}
        </Button>
      )}
    </li>
  );
}
