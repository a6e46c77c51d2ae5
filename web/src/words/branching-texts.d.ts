/** Texts with a plural or a select, each as a function of its values by its English (web/build/icu.ts). */
declare module 'virtual:branching-texts/*' {
  const texts: Readonly<Record<string, (values: Readonly<Record<string, string | number>>) => string>>;
  export default texts;
}
