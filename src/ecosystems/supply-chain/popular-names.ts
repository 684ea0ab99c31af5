/** Names that people mistype, and that attackers therefore imitate: the most used packages of each registry, without those under five letters. */
import type { Ecosystem } from "../ecosystem.ts";

const NAMES: Partial<Record<Ecosystem, string>> = {
  npm: `react react-dom react-router react-router-dom react-redux redux lodash express axios chalk commander typescript webpack
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
  pypi: `requests numpy pandas flask django scipy matplotlib tensorflow torch keras scikit-learn beautifulsoup4 selenium pillow
    boto3 botocore awscli urllib3 certifi setuptools cryptography pyyaml jinja2 click colorama pytest sqlalchemy psycopg2
    psycopg2-binary pymongo redis celery gunicorn uvicorn fastapi pydantic aiohttp httpx paramiko fabric ansible jupyter notebook ipython
    python-dateutil pytz simplejson markupsafe werkzeug itsdangerous discord.py telethon pycryptodome opencv-python transformers
    openai langchain huggingface-hub google-cloud-storage google-api-python-client protobuf grpcio lxml openpyxl tqdm loguru rich-click
    virtualenv poetry pipenv black flake8 pylint isort coverage tox-pip nose2`,
  rubygems: `rails activesupport activerecord actionpack nokogiri bundler rspec rspec-core devise sidekiq puma-dev sinatra capybara rubocop
    factory_bot faraday httparty rest-client json-schema jwt-auth omniauth pundit cancancan kaminari carrierwave redis resque
    aws-sdk aws-sdk-s3 bootsnap webpacker sprockets sassc-rails mysql2 sqlite3 activeadmin atlas-client rack-cache`,
  cargo: `serde serde_json serde_derive tokio rand_core reqwest clap_derive anyhow thiserror regex lazy_static log4rs futures hyper
    actix-web axum-core chrono rustls openssl bytes itertools rayon crossbeam parking_lot tracing tracing-subscriber once_cell
    num-traits uuid-utils base64 sha2-asm diesel sqlx-core rocket warp-server wasm-bindgen proc-macro2 quote-macro syn-macro rust_decimal`,
  "github-actions": `actions/checkout actions/setup-node actions/setup-python actions/setup-go actions/setup-java actions/setup-dotnet
    actions/cache actions/upload-artifact actions/download-artifact actions/github-script actions/labeler actions/stale
    docker/login-action docker/build-push-action docker/setup-buildx-action docker/setup-qemu-action docker/metadata-action
    github/codeql-action codecov/codecov-action softprops/action-gh-release pnpm/action-setup ruby/setup-ruby
    aws-actions/configure-aws-credentials google-github-actions/auth hashicorp/setup-terraform peter-evans/create-pull-request
    golangci/golangci-lint-action dtolnay/rust-toolchain astral-sh/setup-uv reviewdog/action-setup tj-actions/changed-files`,
};

const SETS = new Map(
  Object.entries(NAMES).map(([ecosystem, names]) => [
    ecosystem,
    new Set(names.split(/\s+/).filter((name) => name.length >= 5)),
  ]),
);

export const popularNames = (ecosystem: Ecosystem): ReadonlySet<string> => SETS.get(ecosystem) ?? new Set();
