// A button that starts work and reports its failure.

import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { notifyFailure } from "../outcomes/outcome.ts";
import { useAttempt } from "../outcomes/use-attempt.ts";

interface Props extends ButtonProps {
  readonly "aria-label"?: string;
  readonly title?: string;
  readonly failedText: string;
  readonly onAttempt: () => Promise<unknown>;
}

export function AttemptButton(props: Props): ReactNode {
  const { failedText, onAttempt, ...button } = props;
  const { isUnderWay, attempt } = useAttempt((error) => {
    notifyFailure(failedText, error);
  });
  return (
    <Button
      variant="default"
      {...button}
      loading={isUnderWay}
      onClick={() => {
        attempt(onAttempt);
      }}
    />
  );
}
