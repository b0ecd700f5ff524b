// Values of new tags. Not in tags.ts, because the first page does not need it.

/** Returns why the value cannot be used for a new tag: it is part of the path of the request that removes the tag. */
export function validateTagValue(value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed === '') return 'Enter a value.';
  if (/(^|\/)\s*\.{1,2}\s*($|[/;?#])/.test(trimmed)) return 'Enter a value other than "." and "..".';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused.
  if (!/[\\\u0000-\u001f\u007f-\u009f]|%[0-9a-f]{2}/i.test(trimmed)) return undefined;
  return 'Enter a value without backslashes, control characters and codes such as %2F.';
}
