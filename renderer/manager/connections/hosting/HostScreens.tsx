// Screens of the hosted service with their status, and claiming a waiting one by the PIN it shows.

import { Button, TextInput } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconDeviceTv,
  IconLink,
  IconPlugConnectedX,
  IconRefresh,
} from "@tabler/icons-react";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type { HostScreenView } from "../../../../server/contract/content-host.ts";
import { reasonOf } from "../../api.ts";
import {
  notifySuccess,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { useRefetch, useQuestion } from "../../manager-queries.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import { when } from "../state/status-time.ts";

const pollIntervalMs = 5_000;

export function HostScreens(): ReactNode {
  const screens = useQuestion(
    "listHostScreens",
    {},
    { intervalMs: pollIntervalMs },
  );
  return (
    <section className="hosting-part" aria-label={t("hosting.screens.title")}>
      <h4>{t("hosting.screens.title")}</h4>
      <p className="quiet">{t("hosting.screens.description")}</p>
      <ClaimForm count={screens.data?.length ?? 0} />
      {screens.isError ? (
        <ErrorAlert
          sentence={t("hosting.screens.loadFailed")}
          reason={reasonOf(screens.error)}
          isTrying={screens.isFetching}
          onTryAgain={() => {
            screens.refetch().catch(notifyInternalError);
          }}
        />
      ) : screens.data === undefined ? (
        <p className="quiet after-a-moment">{t("manager.loading")}</p>
      ) : screens.data.length === 0 ? (
        <p className="quiet">{t("hosting.screens.empty")}</p>
      ) : (
        <ul className="panel-rows" aria-label={t("hosting.screens.title")}>
          {screens.data.map((screen) => (
            <ScreenRow key={screen.id} screen={screen} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Two steps: type the PIN, press Enter to claim; a name is already filled in. */
function ClaimForm({ count }: { readonly count: number }): ReactNode {
  const [pin, setPin] = useState("");
  const [name, setName] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isClaiming, setIsClaiming] = useState(false);
  const refetch = useRefetch();
  const shownName =
    name ?? plainMessage("hosting.screens.defaultName", { count: count + 1 });
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (pin.trim() === "" || isClaiming) return;
    setIsClaiming(true);
    try {
      const claimed = await window.manager.claimHostScreen({
        pin: pin.trim(),
        name: shownName,
      });
      notifySuccess(t("hosting.screens.added", { name: claimed.name }));
      setPin("");
      setName(null);
      await refetch("listHostScreens");
    } catch (error) {
      setRefusal(
        `${t("hosting.screens.addFailed")} ${reasonOf(error)} ${t("hosting.screens.addFailedStep")}`,
      );
    } finally {
      setIsClaiming(false);
    }
  };
  return (
    <form
      className="hosting-form"
      onSubmit={(event) => {
        submit(event).catch(notifyInternalError);
      }}
    >
      <TextInput
        className="claim-pin"
        label={t("hosting.screens.pin")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={pin}
        error={refusal}
        errorProps={{ role: "alert", dir: "auto" }}
        onChange={(event) => {
          setPin(event.currentTarget.value);
          setRefusal(null);
        }}
      />
      <TextInput
        className="panel-field"
        label={t("hosting.screens.name")}
        dir="auto"
        value={shownName}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconLink size={18} aria-hidden />}
        loading={isClaiming}
      >
        {t("hosting.screens.add")}
      </Button>
    </form>
  );
}

function ScreenRow({ screen }: { readonly screen: HostScreenView }): ReactNode {
  const { name, lastPing, groups, isEnabled } = screen;
  const { Sign, word } = stateOf(screen);
  return (
    <li>
      <IconDeviceTv size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
          {isEnabled ? null : (
            <span className="quiet"> ({t("hosting.screens.disabled")})</span>
          )}
        </p>
        <p className="quiet">
          {lastPing === null
            ? t("hosting.screens.neverConnected")
            : t("hosting.screens.lastSeen", { time: when(lastPing) })}
          {groups.length === 0 ? "" : ` · ${groups.join(", ")}`}
        </p>
      </div>
      <span className="screen-state">
        <Sign size={18} aria-hidden />
        {word}
      </span>
    </li>
  );
}

/** Failures are counted, as for this player itself (V2-652). */
function stateOf({ status, isInSync, items }: HostScreenView) {
  if (status === "Offline")
    return { Sign: IconPlugConnectedX, word: t("hosting.screens.offline") };
  if (items !== null && items.failed > 0) {
    const { here, wanted, failed } = items;
    const word = t("connections.itemsFailed", {
      available: here,
      total: wanted,
      failed,
    });
    return { Sign: IconAlertTriangle, word };
  }
  if (status === "Syncing")
    return { Sign: IconRefresh, word: t("hosting.screens.syncing") };
  return isInSync
    ? { Sign: IconCircleCheck, word: t("hosting.screens.inSync") }
    : { Sign: IconCircleDashed, word: t("hosting.screens.notInSync") };
}
