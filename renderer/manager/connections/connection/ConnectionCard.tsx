// Card of one connected content service: its status, its changes, failed downloads, and the way to earlier states.

import { ActionIcon, Box, Button, Flex, Menu, Title } from "@mantine/core";
import {
  IconDotsVertical,
  IconPlugConnectedX,
  IconPower,
  IconRefresh,
  IconSettings,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { noteChange, operate, useAnswer } from "../../api/operations.ts";
import { useMenuFocus } from "../../components/focus/menu-focus.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { t } from "../../../locales/messages.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import { ConnectionProgress } from "./ConnectionProgress.tsx";
import { ConnectionSettings } from "./ConnectionSettings.tsx";
import { ConnectionStatus } from "./ConnectionStatus.tsx";
import { ServiceEditor } from "../editing/ServiceEditor.tsx";
import { AppliedPlans } from "../plans/AppliedPlans.tsx";
import { LocalChanges } from "./LocalChanges.tsx";
import { PlanReview } from "../plans/PlanReview.tsx";
import { RemoveConnection } from "./RemoveConnection.tsx";
import { ItemFailures } from "./ItemFailures.tsx";
import { unusedIn } from "../unused-content/unused-content.ts";
import { UnusedContent } from "../unused-content/UnusedContent.tsx";
import { useRefetchSync, type ConnectionView } from "../state/use-sync.ts";

type Open = "settings" | "token" | "remove" | null;

const planIntervalMs = 4_000;

export function ConnectionCard({
  connection,
  status,
}: ConnectionView): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const refetch = useRefetchSync();
  const { account_id: id, name } = connection;
  const plan = useAnswer(
    "readSyncPlan",
    {},
    { intervalMs: planIntervalMs },
  ).data?.find(({ account_id }) => account_id === id);
  const unused = status && unusedIn(connection, status);
  const close = () => {
    setOpen(null);
  };
  return (
    <Flex
      component="article"
      direction="column"
      gap={16}
      p={16}
      bd="1px solid var(--line)"
      bdrs={10}
      bg="var(--panel)"
      aria-labelledby={`connection-${id}`}
    >
      <Flex
        component="header"
        className="connection-head"
        wrap="wrap"
        align="flex-start"
        gap={8}
      >
        <Box flex="1 1 260px" miw={0}>
          <Title order={2} fz={16} lh="24px" id={`connection-${id}`}>
            <bdi>{name}</bdi>
          </Title>
          <ConnectionSource connection={connection} status={status} />
        </Box>
        {connection.kind === "plan" ? null : (
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            aria-label={t("connections.syncNowNamed", { name })}
            disabled={!connection.is_enabled}
            onClick={() => {
              operate("runSync", { body: { account_id: id } })
                .catch((error: unknown) => {
                  notifyFailure(t("connections.syncFailed"), error);
                })
                .finally(() => {
                  refetch().catch(notifyInternalError);
                });
            }}
          >
            {t("connections.syncNow")}
          </Button>
        )}
        <ConnectionMenu connection={connection} onOpen={setOpen} />
      </Flex>
      {status ? (
        <ConnectionStatus
          connection={connection}
          status={status}
          onToken={() => {
            setOpen("token");
          }}
        />
      ) : null}
      {unused ? (
        <UnusedContent connection={connection} unused={unused} />
      ) : null}
      {open === "remove" ? (
        <RemoveConnection
          connection={connection}
          assets={status?.assets ?? 0}
          onClose={close}
        />
      ) : open === null ? null : (
        <ConnectionSettings
          connection={connection}
          isForToken={open === "token"}
          onClose={close}
        />
      )}
      {status?.phase === "downloading" ? (
        <ConnectionProgress name={name} progress={status.progress} />
      ) : null}
      {plan ? <PlanReview key={plan.plan_id} plan={plan} name={name} /> : null}
      {status && status.failures.length > 0 ? (
        <ItemFailures connectionId={id} itemFailures={status.failures} />
      ) : null}
      <LocalChanges connectionId={id} name={name} />
      {connection.kind === "cloud" ? (
        <ServiceEditor
          connectionId={id}
          waiting={status?.changes_waiting ?? 0}
          stuck={status?.changes_stuck ?? 0}
        />
      ) : null}
      {status && status.applied_plans.length > 1 ? (
        <AppliedPlans
          connectionId={id}
          name={name}
          kept={status.applied_plans}
        />
      ) : null}
    </Flex>
  );
}

function ConnectionMenu(props: {
  readonly connection: SyncAccountV2;
  readonly onOpen: (open: Open) => void;
}): ReactNode {
  const { connection, onOpen } = props;
  const { account_id: id, name, is_enabled: isEnabled } = connection;
  const isPlan = connection.kind === "plan";
  const refetch = useRefetchSync();
  const { menu, button, dropdown } = useMenuFocus();
  const switchTo = async (isOn: boolean): Promise<void> => {
    await operate("changeSyncAccount", {
      ...{ parameters: { id }, body: { is_enabled: isOn } },
    });
    await refetch();
  };
  return (
    <Menu {...menu} position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          {...button}
          variant="default"
          aria-label={t("connections.moreActions", { name })}
        >
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        {isPlan ? null : (
          <>
            <Menu.Item
              leftSection={<IconSettings size={18} aria-hidden />}
              onClick={() => {
                onOpen("settings");
              }}
            >
              {t("connections.settings.title")}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPower size={18} aria-hidden />}
              onClick={() => {
                noteChange(switchTo(!isEnabled)).then(
                  () => {
                    const undo = () => switchTo(isEnabled);
                    const fields = [`${id} is_enabled`];
                    notifyUndoable(
                      t("connections.settings.saved", { name }),
                      undo,
                      null,
                      fields,
                    );
                  },
                  (error: unknown) => {
                    notifyFailure(t("connections.settings.saveFailed"), error);
                  },
                );
              }}
            >
              {isEnabled
                ? t("connections.settings.disable")
                : t("connections.settings.enable")}
            </Menu.Item>
          </>
        )}
        <Menu.Item
          leftSection={<IconPlugConnectedX size={18} aria-hidden />}
          onClick={() => {
            onOpen("remove");
          }}
        >
          {isPlan
            ? t("connections.removal.bundle")
            : t("connections.removal.disconnect")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

// Address of the content service, in the line beneath the connection's name.

function ConnectionSource({ connection, status }: ConnectionView): ReactNode {
  if (connection.kind === "plan")
    return <p className="quiet">{t("connections.offlineBundleDescription")}</p>;
  return (
    <p className="quiet">
      <span dir="ltr">{connection.base_url}</span>
      {" · "}
      {status?.version == null
        ? t("connections.versionUnknown")
        : t("connections.version", {
            version: t(`connections.settings.versions.${status.version}`),
          })}
      {connection.kind === "screen" ? (
        <>
          {" · "}
          <PairedAs connectionId={connection.account_id} />
        </>
      ) : null}
    </p>
  );
}

function PairedAs({
  connectionId,
}: {
  readonly connectionId: string;
}): ReactNode {
  const link = useAnswer("listSyncLinks", {}).data?.find(
    ({ account_id }) => account_id === connectionId,
  );
  return link?.screen_name == null
    ? t("connections.paired")
    : t("connections.pairedAs", { screen: link.screen_name });
}
