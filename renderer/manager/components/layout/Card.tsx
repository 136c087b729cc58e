// A card of the first page: a heading with a word about it, and its content.

import { Flex, Paper, Text, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

interface Props {
  /** Of the card, where it is looked for. */
  readonly className?: string;
  /** No heading where the content brings one. */
  readonly title?: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

export function Card(props: Props): ReactNode {
  const { className = "", title, about, children } = props;
  const id = useId();
  return (
    <Paper
      className={`card ${className}`}
      component="section"
      withBorder
      radius={12}
      miw={0}
      pt={12}
      px={16}
      pb={16}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title === undefined ? null : (
        <Flex
          component="header"
          wrap="wrap"
          align="baseline"
          justify="space-between"
          gap="0 12px"
          mb={8}
        >
          <Title order={2} fz={15} lh="24px" id={id}>
            {title}
          </Title>
          {about === undefined ? null : <Text c="dimmed">{about}</Text>}
        </Flex>
      )}
      {children}
    </Paper>
  );
}
