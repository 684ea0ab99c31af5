import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "rb-sinatra-file",
    language: "ruby",
    kind: "request input in a file path",
    path: "app.rb",
    before: `require "sinatra"
require "json"

set :manuals, File.expand_path("manuals", __dir__)

get "/manuals" do
  content_type :json
  Dir.children(settings.manuals).sort.to_json
end

get "/manuals/read" do
  name = File.basename(params["name"].to_s)
  halt 404 unless Dir.children(settings.manuals).include?(name)
  File.read(File.join(settings.manuals, name))
end
`,
    after: `require "sinatra"
require "json"

set :manuals, File.expand_path("manuals", __dir__)

get "/manuals" do
  content_type :json
  Dir.children(settings.manuals).sort.to_json
end

get "/manuals/read" do
  content_type "text/plain"
  File.read(File.join(settings.manuals, params["name"]))
end
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "rb-open-uri",
    language: "ruby",
    kind: "request input in outgoing request",
    path: "app/controllers/link_previews_controller.rb",
    before: null,
    after: `require "open-uri"

class LinkPreviewsController < ApplicationController
  before_action :require_login

  def show
    html = URI.open(params[:url], read_timeout: 5).read
    document = Nokogiri::HTML(html)
    render json: {
      title: document.at("title")&.text,
      description: document.at('meta[name="description"]')&.[]("content")
    }
  rescue OpenURI::HTTPError
    head :bad_gateway
  end
end
`,
    line: 7,
    severity: "must-fix",
  },
  {
    id: "rb-redirect-params",
    language: "ruby",
    kind: "request input in redirect",
    path: "app/controllers/sessions_controller.rb",
    before: `class SessionsController < ApplicationController
  skip_before_action :require_login, only: %i[new create]

  def new; end

  def create
    user = User.authenticate_by(email: params[:email], password: params[:password])
    if user
      reset_session
      session[:user_id] = user.id
      redirect_to dashboard_path
    else
      flash.now[:alert] = t(".invalid")
      render :new, status: :unprocessable_entity
    end
  end

  def destroy
    reset_session
    redirect_to root_path
  end
end
`,
    after: `class SessionsController < ApplicationController
  skip_before_action :require_login, only: %i[new create]

  def new; end

  def create
    user = User.authenticate_by(email: params[:email], password: params[:password])
    if user
      reset_session
      session[:user_id] = user.id
      redirect_to params[:return_to] || dashboard_path, allow_other_host: true
    else
      flash.now[:alert] = t(".invalid")
      render :new, status: :unprocessable_entity
    end
  end

  def destroy
    reset_session
    redirect_to root_path
  end
end
`,
    line: 11,
    severity: "major",
  },
  {
    id: "rb-constantize",
    language: "ruby",
    kind: "request input in dynamic dispatch",
    path: "app/controllers/api/records_controller.rb",
    before: null,
    after: `module Api
  class RecordsController < BaseController
    PER_PAGE = 25

    def index
      model = params[:type].classify.constantize
      records = model.order(created_at: :desc).page(params[:page]).per(PER_PAGE)
      render json: records, status: :ok
    end

    def types
      render json: %w[Invoice Quote Receipt]
    end
  end
end
`,
    line: 6,
    severity: "must-fix",
  },
  {
    id: "rb-unreachable",
    language: "ruby",
    kind: "code after return never runs",
    path: "lib/importer/row_parser.rb",
    before: `module Importer
  class RowParser
    Row = Struct.new(:sku, :name, :price)

    def initialize(separator: ";")
      @separator = separator
      @errors = []
    end

    attr_reader :errors

    def parse(line, number)
      cells = line.chomp.split(@separator)
      if cells.size < 3
        @errors << "line #{number}: expected 3 cells"
        return nil
      end
      Row.new(cells[0], cells[1], Integer(cells[2]))
    end
  end
end
`,
    after: `module Importer
  class RowParser
    Row = Struct.new(:sku, :name, :price)

    def initialize(separator: ";")
      @separator = separator
      @errors = []
    end

    attr_reader :errors

    def parse(line, number)
      cells = line.chomp.split(@separator)
      if cells.size < 3
        return nil
        @errors << "line #{number}: expected 3 cells"
      end
      Row.new(cells[0], cells[1], Integer(cells[2]))
    end
  end
end
`,
    line: 16,
    also: [15],
    severity: "major",
  },
  {
    id: "rb-ensure-return",
    language: "ruby",
    kind: "return in ensure hides the exception",
    path: "lib/locks/advisory.rb",
    before: null,
    after: `module Locks
  class Advisory
    def initialize(connection)
      @connection = connection
    end

    def with(key)
      result = nil
      @connection.exec_params("SELECT pg_advisory_lock($1)", [key])
      result = yield
    ensure
      @connection.exec_params("SELECT pg_advisory_unlock($1)", [key])
      return result
    end

    def held?(key)
      @connection.exec_params("SELECT 1 FROM pg_locks WHERE objid = $1", [key]).any?
    end
  end
end
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "rb-duplicate-hash-key",
    language: "ruby",
    kind: "duplicate hash key",
    path: "lib/shipping/rates.rb",
    before: `module Shipping
  # Cents per parcel, by zone.
  RATES = {
    domestic: 490,
    europe: 990,
    americas: 1890,
    asia: 1990,
    oceania: 2190
  }.freeze

  def self.rate(zone, parcels)
    RATES.fetch(zone) * parcels
  end
end
`,
    after: `module Shipping
  # Cents per parcel, by zone.
  RATES = {
    domestic: 490,
    europe: 990,
    americas: 1890,
    asia: 1990,
    europe: 2190
  }.freeze

  def self.rate(zone, parcels)
    RATES.fetch(zone) * parcels
  end
end
`,
    line: 8,
    severity: "medium",
  },
  {
    id: "rb-file-handle-leak",
    language: "ruby",
    kind: "file never closed",
    path: "lib/tasks/stats/collector.rb",
    before: null,
    after: `module Stats
  class Collector
    def initialize(folder)
      @folder = folder
    end

    def line_counts
      Dir.glob(File.join(@folder, "**", "*.log")).to_h do |path|
        [path, count(path)]
      end
    end

    private

    def count(path)
      file = File.open(path, "r")
      lines = 0
      file.each_line { lines += 1 }
      lines
    end
  end
end
`,
    line: 16,
    severity: "medium",
  },
  {
    id: "rb-csrf-skip",
    language: "ruby",
    kind: "CSRF protection turned off",
    path: "app/controllers/payments_controller.rb",
    before: `class PaymentsController < ApplicationController
  before_action :require_login

  def new
    @payment = current_user.payments.build
  end

  def create
    @payment = current_user.payments.build(payment_params)
    if @payment.save
      ChargeJob.perform_later(@payment)
      redirect_to @payment
    else
      render :new, status: :unprocessable_entity
    end
  end

  private

  def payment_params
    params.require(:payment).permit(:amount_cents, :currency)
  end
end
`,
    after: `class PaymentsController < ApplicationController
  before_action :require_login
  skip_before_action :verify_authenticity_token

  def new
    @payment = current_user.payments.build
  end

  def create
    @payment = current_user.payments.build(payment_params)
    if @payment.save
      ChargeJob.perform_later(@payment)
      redirect_to @payment
    else
      render :new, status: :unprocessable_entity
    end
  end

  private

  def payment_params
    params.require(:payment).permit(:amount_cents, :currency)
  end
end
`,
    line: 3,
    severity: "major",
  },
];
