// First-run step: the first content, as files, an address, a content service or a backup; each with its own form.

import { Button } from "@mantine/core";
import { IconArchive, IconCloud, type Icon } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useAssets } from "../api.ts";
import { ConnectForm } from "../connections/connect/ConnectForm.tsx";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { AddPageForm } from "../library/AddPageForm.tsx";
import { goTo } from "../navigation.ts";
import {
  RestorePanel,
  type Archive,
} from "../settings/backup/RestorePanel.tsx";
import { t } from "../../locales/messages.ts";

type Way = "files" | "connection" | "connected" | "restore";

export function ContentStep({
  onGo,
}: {
  /** Leads to another page: the first run is finished. */
  readonly onGo: () => void;
}): ReactNode {
  const [way, setWay] = useState<Way>("files");
  const [archive, setArchive] = useState<Archive | null>(null);
  const back = (
    <Button
      variant="subtle"
      color="gray"
      onClick={() => {
        setWay("files");
      }}
    >
      {t("firstRun.otherWays")}
    </Button>
  );
  if (way === "connection")
    return (
      <div className="content-step">
        <p className="first-run-question">{t("firstRun.connect")}</p>
        <ConnectForm
          onClose={() => {
            setWay("files");
          }}
          onConnected={() => {
            setWay("connected");
          }}
        />
      </div>
    );
  if (way === "connected")
    return (
      <div className="content-step" role="status">
        <p className="first-run-question">{t("firstRun.connected")}</p>
        <p>{t("firstRun.connectedText")}</p>
        <div className="content-answers">
          {back}
          <Button
            autoFocus
            onClick={() => {
              goTo("connections");
              onGo();
            }}
          >
            {t("firstRun.reviewChanges")}
          </Button>
        </div>
      </div>
    );
  if (way === "restore")
    return (
      <div className="content-step content-restore">
        <RestorePanel archive={archive} onChoose={setArchive} />
        <HowMany />
        {back}
      </div>
    );
  return (
    <div className="content-step">
      <p className="first-run-question">{t("firstRun.addContent")}</p>
      <div className="content-drop">
        <p>{t("firstRun.drop")}</p>
        <div className="content-ways">
          <AddFilesButton />
          <AddPageForm />
        </div>
        <HowMany />
      </div>
      <div className="content-others">
        <Other
          sign={IconCloud}
          name={t("firstRun.connect")}
          description={t("firstRun.connectDescription")}
          onChoose={() => {
            setWay("connection");
          }}
        />
        <Other
          sign={IconArchive}
          name={t("firstRun.restore")}
          description={t("firstRun.restoreDescription")}
          onChoose={() => {
            setWay("restore");
          }}
        />
      </div>
    </div>
  );
}

function HowMany(): ReactNode {
  const count = useAssets().data?.length ?? 0;
  return (
    <p role="status" className="content-count">
      {count > 0 ? t("firstRun.assetCount", { count }) : null}
    </p>
  );
}

interface OtherProps {
  readonly sign: Icon;
  readonly name: string;
  readonly description: string;
  readonly onChoose: () => void;
}

function Other({
  sign: Sign,
  name,
  description,
  onChoose,
}: OtherProps): ReactNode {
  return (
    <button type="button" className="content-other" onClick={onChoose}>
      <Sign size={24} stroke={1.5} aria-hidden />
      <span>
        <strong>{name}</strong>
        <span className="quiet">{description}</span>
      </span>
    </button>
  );
}
