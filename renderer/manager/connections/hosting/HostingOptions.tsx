// Port and network access of the hosted service; errors are shown at their field.

import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";
import type {
  HostReach,
  HostingView,
} from "../../../../server/contract/content-host.ts";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { FileChoice } from "../../parts/controls/FileChoice.tsx";
import { texts } from "../../texts/texts.ts";

const words = texts.cloud.hosting;

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
    void onChange({ isOn: true, port, reach, certificate, certificateKey });
  };
  return (
    <details className="hosting-options" open={view.state === "failed"}>
      <summary>{words.options}</summary>
      <form onSubmit={submit}>
        <NumberInput
          label={words.port}
          description={words.portEffect}
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
          label={words.reach}
          description={words.reachEffect}
          data={(["this-pc", "network"] as const).map((value) => ({
            ...{ value, label: words.reaches[value] },
          }))}
          value={reach}
          onChange={(event) => {
            setReach(event.currentTarget.value as HostReach);
          }}
        />
        {reach === "network" ? (
          <>
            <FileField
              label={words.certificate}
              path={certificate}
              onChoose={setCertificate}
            />
            <FileField
              label={words.certificateKey}
              path={certificateKey}
              onChoose={setCertificateKey}
            />
          </>
        ) : null}
        <Button type="submit" variant="default">
          {words.apply}
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
            aria-label={`${props.label}: ${words.chooseFile}`}
          >
            {words.chooseFile}
          </Button>
        )}
      </FileChoice>
    </div>
  );
}
