// Sends a read-only operation with the operator's own parameters, and shows the player's response.

import { Box, Button, Code, Group, TextInput } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { OperationName } from "../../../../server/contract/ipc/ipc-operate.ts";
import { reasonOf } from "../../api/reason.ts";
import { operate } from "../../api/operations.ts";
import { t } from "../../../locales/messages.ts";
import type { DescribedOperation } from "./api-description.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

/** More would only slow the window down; the rest is for programs. */
const maxShown = 20_000;

interface Outcome {
  readonly isError: boolean;
  readonly text: string;
}

export function TryRequest({
  operation,
}: {
  readonly operation: DescribedOperation;
}): ReactNode {
  const parameters = operation.parameters.filter(
    ({ in: place }) => place !== "header",
  );
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSending, setIsSending] = useState(false);

  const sendRequest = async (): Promise<void> => {
    setIsSending(true);
    const given = Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== "")
        // The player's routes name every identifier in a path `id`.
        .map(([name, value]) => [
          operation.path.includes(`{${name}}`) && name.endsWith("_id")
            ? "id"
            : name,
          value,
        ]),
    );
    try {
      const answer: unknown = await operate(operation.id as OperationName, {
        parameters: given,
      });
      const text =
        typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
      setOutcome({ isError: false, text: text.slice(0, maxShown) });
    } catch (error) {
      setOutcome({ isError: true, text: reasonOf(error) });
    } finally {
      setIsSending(false);
    }
  };

  return (
    <Group align="flex-end" gap={8} mt={12}>
      {parameters.map(({ name, example, required }) => (
        <TextInput
          key={name}
          label={t("settings.apiReference.parameterValue", { name })}
          placeholder={example}
          required={required}
          dir="ltr"
          spellCheck={false}
          value={values[name] ?? ""}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setValues((others) => ({ ...others, [name]: value }));
          }}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={18} aria-hidden />}
        loading={isSending}
        onClick={() => {
          sendRequest().catch(notifyInternalError);
        }}
      >
        {t("settings.apiReference.send")}
      </Button>
      {outcome === null ? null : (
        <Box className="docs-outcome" flex="1 1 100%" miw={0} role="status">
          <p>
            {outcome.isError
              ? t("settings.apiReference.errorResponse")
              : t("settings.apiReference.response")}
          </p>
          <Code
            block
            mah={320}
            style={{ overflow: "auto" }}
            dir="ltr"
            tabIndex={0}
          >
            {outcome.text}
          </Code>
        </Box>
      )}
    </Group>
  );
}
