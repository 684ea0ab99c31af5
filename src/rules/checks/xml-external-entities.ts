/** XML parsers with external entities switched on. */
import type { LineRule } from "../rule.ts";

const ON: Readonly<Record<string, RegExp>> = {
  csharp:
    /\bDtdProcessing\s*=\s*DtdProcessing\.Parse\b|\bXmlResolver\s*=\s*new\s+XmlUrlResolver\b|\bProhibitDtd\s*=\s*false\b/,
  php: /\bLIBXML_NOENT\b|\blibxml_disable_entity_loader\s*\(\s*false\s*\)|->substituteEntities\s*=\s*true\b|->resolveExternals\s*=\s*true\b/,
  ruby: /\bNokogiri\b.{0,120}(?:\.noent\b|\bNOENT\b)|\b(?:config|c|options)\.noent\b|\bParseOptions::NOENT\b/,
  java: /\bsetFeature\(\s*"http:\/\/xml\.org\/sax\/features\/external-(?:general|parameter)-entities"\s*,\s*true\s*\)|\bsetExpandEntityReferences\(\s*true\s*\)|\bIS_SUPPORTING_EXTERNAL_ENTITIES\s*,\s*(?:Boolean\.TRUE|true)\b|\bSUPPORT_DTD\s*,\s*(?:Boolean\.TRUE|true)\b/,
  python:
    /\bXMLParser\(.{0,120}\bresolve_entities\s*=\s*True\b|\bsetFeature\(\s*(?:\w+\.)*feature_external_ges\s*,\s*(?:True|1)\s*\)/,
  javascript: /\bparseXml(?:String)?\(.{0,120}\bnoent\s*:\s*true\b/,
  typescript: /\bparseXml(?:String)?\(.{0,120}\bnoent\s*:\s*true\b/,
};

export const xmlExternalEntities: LineRule = {
  kind: "line",
  id: "xml-external-entities",
  title: "XML external entities: a document can read files of the server",
  severity: "major",
  category: "security",
  why: "A document can name a file or an internal address as an entity, and the parser puts its content into the result.",
  fix: "Leave external entities and DTDs switched off for documents that come from outside.",
  confidence: 0.85,
  languages: ["csharp", "php", "ruby", "java", "python", "javascript", "typescript"],
  check({ line, text }, file) {
    return ON[file.language]?.test(text) === true && !/^\s*(?:\/\/|#|\*)/.test(text) ? { line } : null;
  },
};
