// A form by which a person enters, or sets a password to enter with: its title, its fields, why it was rejected, and its button.

import { Button, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

export function EntranceForm({
  title,
  about,
  children,
  reason,
  submitLabel,
  isPending,
  onSubmit,
  below,
}: {
  readonly title: string;
  readonly about: ReactNode;
  /** Its fields. */
  readonly children: ReactNode;
  /** Why the last attempt was rejected. */
  readonly reason: string | null;
  readonly submitLabel: string;
  /** While it is, it isn't submitted again. */
  readonly isPending: boolean;
  readonly onSubmit: () => Promise<void>;
  readonly below?: ReactNode;
}): ReactNode {
  return (
    <Stack
      component="form"
      gap={16}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit().catch(notifyInternalError);
      }}
    >
      <div>
        <Title order={1} fz={20} lh="28px">
          {title}
        </Title>
        <Text c="dimmed" mt={4}>
          {about}
        </Text>
      </div>
      {children}
      {reason === null ? null : (
        <Text role="alert" c="var(--fault)">
          {reason}
        </Text>
      )}
      <Button type="submit" loading={isPending}>
        {submitLabel}
      </Button>
      {below}
    </Stack>
  );
}
