/** The body and headers of a form, with a picture where one is given. */
export function testForm(fields: Record<string, string>, picture?: Buffer) {
  const boundary = '----ushirika';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="picture"; filename="paper.png"\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(parts.join('') + (picture ? head : '')),
    picture ?? Buffer.alloc(0),
    Buffer.from(`${picture ? '\r\n' : ''}--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
