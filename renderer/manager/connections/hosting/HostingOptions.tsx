// Port and network access of the hosted service; errors are shown at their field.

import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type {
  HostReach,
  HostingView,
} from "../../../../server/contract/content-host.ts";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { FileChoice } from "../../components/controls/FileChoice.tsx";
import { t } from "../../../locales/messages.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly view: HostingView;
  readonly onChange: (change: ManagerInput<"changeHosting">) => Promise<void>;
}

export function HostingOptions({ view, onChange }: Props): ReactNode {
  const [port, setPort] = useState<number>(view.port);
  const [reach, setReach] = useState<HostReach>(view.reach);
  const [certificate, setCertificate] = useState(view.certificate);
  const [certificateKey, setCertificateKey] = useState(view.certificateKey);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onChange({ isOn: true, port, reach, certificate, certificateKey }).catch(
      notifyInternalError,
    );
  };
  return (
    <details className="hosting-options" open={view.state === "failed"}>
      <summary>{t("hosting.options.title")}</summary>
      <form onSubmit={submit}>
        <NumberInput
          label={t("hosting.options.port")}
          description={t("hosting.options.portHelp")}
          value={port}
          min={1}
          max={65_535}
          allowDecimal={false}
          thousandSeparator=""
          onChange={(value) => {
            setPort(Number(value));
          }}
        />
        <NativeSelect
          label={t("hosting.options.access")}
          description={t("hosting.options.accessHelp")}
          data={(["this-pc", "network"] as const).map((value) => ({
            ...{ value, label: t(`hosting.options.accessLevels.${value}`) },
          }))}
          value={reach}
          onChange={(event) => {
            setReach(event.currentTarget.value as HostReach);
          }}
        />
        {reach === "network" ? (
          <>
            <FileField
              label={t("hosting.options.certificate")}
              path={certificate}
              onChoose={setCertificate}
            />
            <FileField
              label={t("hosting.options.certificateKey")}
              path={certificateKey}
              onChoose={setCertificateKey}
            />
          </>
        ) : null}
        <Button type="submit" variant="default">
          {t("hosting.options.apply")}
        </Button>
      </form>
    </details>
  );
}

function FileField(props: {
  readonly label: string;
  readonly path: string | null;
  readonly onChoose: (path: string) => void;
}): ReactNode {
  return (
    <div className="file-field">
      <p>{props.label}</p>
      <p className="quiet" dir="ltr">
        {props.path ?? "–"}
      </p>
      <FileChoice
        accept=".pem,.crt,.cer,.key"
        onFiles={([file]) => {
          props.onChoose(window.manager.pathOf(file));
        }}
      >
        {(button) => (
          <Button
            {...button}
            variant="default"
            aria-label={t("hosting.options.chooseFileFor", {
              field: props.label,
            })}
          >
            {t("hosting.options.chooseFile")}
          </Button>
        )}
      </FileChoice>
    </div>
  );
}
