/** The bundle's manifest, from the declarations in the code: settings, tools, and what package.json says of the product. */
export function bundleManifest({ product, strings, tools, userConfig, bundleEnvironment }) {
  return {
    manifest_version: '0.3',
    name: 'tandem',
    display_name: product.productName,
    version: product.version,
    description: strings.bundle.description,
    author: { name: product.productName },
    license: product.license,
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/bridge.js',
      mcp_config: { command: 'node', args: [`\${__dirname}/server/bridge.js`], env: bundleEnvironment() }
    },
    tools: tools.map(({ name, description }) => ({ name, description: firstSentence(description) })),
    // What a token may do, and the version of the host, decide which of them there are.
    tools_generated: true,
    user_config: userConfig(),
    compatibility: { platforms: product.os, runtimes: { node: product.engines.node } }
  }
}

function firstSentence(text) {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text
}
