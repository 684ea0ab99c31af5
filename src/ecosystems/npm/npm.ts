/** npm's registry, and the files of its package managers: npm, Yarn, pnpm and Bun. */
import { NPM_HOST, YARN_HOST } from "../../base/npm-hosts.ts";
import type { Ecosystem } from "../ecosystem.ts";
import { NPM_ORDER } from "../versions/semver-order.ts";
import { bunBinaryLock, bunLock } from "./bun-lock.ts";
import { NPM_SOURCES } from "./npm-sources.ts";
import { packageJson } from "./package-json.ts";
import { packageLock } from "./package-lock.ts";
import { pnpmLock } from "./pnpm-lock.ts";
import { pnpmWorkspace } from "./pnpm-workspace.ts";
import { yarnLock } from "./yarn-lock.ts";

export const NPM: Ecosystem = {
  formats: [packageJson, pnpmWorkspace, packageLock, yarnLock, pnpmLock, bunLock, bunBinaryLock],
  sources: NPM_SOURCES,
  order: NPM_ORDER,
  isMinorBreakingBelow1: true,
  advisoryNames: { osv: "npm", github: "npm" },
  publicHosts: [NPM_HOST, YARN_HOST],
  isScopedName: (name) => name.startsWith("@"),
  hasFixedNeeds: true,
  popularNames: `react react-dom react-router react-router-dom react-redux redux lodash express axios chalk commander typescript webpack
    webpack-cli eslint prettier jquery moment request async bluebird underscore debug body-parser cookie-parser cors dotenv cross-env
    mongoose mongodb mysql mysql2 sequelize passport jsonwebtoken bcrypt bcryptjs nodemon socket.io socket.io-client node-fetch
    graphql apollo-server next.js vuejs vue-router angular rxjs zone.js tslib core-js babel-core babel-loader babel-eslint babel-cli
    cross-spawn fs-extra rimraf mkdirp minimist yargs inquirer semver colors through2 readable-stream glob-parent minimatch
    classnames prop-types styled-components bootstrap tailwindcss postcss autoprefixer css-loader style-loader file-loader ts-node ts-jest
    mocha should jasmine cypress puppeteer playwright electron electron-builder firebase firebase-admin aws-sdk nodemailer winston
    helmet multer sharp cheerio handlebars mustache marked highlight.js showdown validator formik immer zustand
    date-fns dayjs luxon nanoid shelljs concurrently husky lint-staged commitlint rollup vite-plugin esbuild parcel gulp grunt browserify
    discord.js telegraf web3js ethers hardhat truffle ioredis redis kafkajs amqplib prisma typeorm knex objection fastify
    nestjs swagger-ui-express express-validator express-session morgan compression http-proxy-middleware superagent supertest
    noblox.js noblox.js-proxied ua-parser-js event-stream coa-parser left-pad is-promise`,
};
