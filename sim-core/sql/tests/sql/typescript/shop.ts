export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  public: {
    Tables: {
      category: {
        Row: {
          id: number
          parent_id: number | null
          slug: string
        }
        Insert: {
          id?: never
          parent_id?: number | null
          slug: string
        }
        Update: {
          id?: never
          parent_id?: number | null
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: "category_parent_id_fkey"
            columns: ["parent_id"]
            isOneToOne: false
            referencedRelation: "category"
            referencedColumns: ["id"]
          },
        ]
      }
      coupon: {
        Row: {
          amount: number | null
          code: string
          "max uses": number | null
          percent: number | null
          valid: unknown | null
        }
        Insert: {
          amount?: number | null
          code: string
          "max uses"?: number | null
          percent?: number | null
          valid?: unknown | null
        }
        Update: {
          amount?: number | null
          code?: string
          "max uses"?: number | null
          percent?: number | null
          valid?: unknown | null
        }
        Relationships: []
      }
      coupon_use: {
        Row: {
          coupon_code: string
          order_id: number
          used_at: string
        }
        Insert: {
          coupon_code: string
          order_id: number
          used_at?: string
        }
        Update: {
          coupon_code?: string
          order_id?: number
          used_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "coupon_use_coupon_code_fkey"
            columns: ["coupon_code"]
            isOneToOne: false
            referencedRelation: "coupon"
            referencedColumns: ["code"]
          },
          {
            foreignKeyName: "coupon_use_order_id_fkey"
            columns: ["order_id"]
            isOneToOne: false
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
        ]
      }
      customer: {
        Row: {
          created_at: string
          email: string
          home: Database["public"]["CompositeTypes"]["address"] | null
          id: string
          newsletter: boolean
        }
        Insert: {
          created_at?: string
          email: string
          home?: Database["public"]["CompositeTypes"]["address"] | null
          id?: string
          newsletter?: boolean
        }
        Update: {
          created_at?: string
          email?: string
          home?: Database["public"]["CompositeTypes"]["address"] | null
          id?: string
          newsletter?: boolean
        }
        Relationships: []
      }
      invoice: {
        Row: {
          number: string
          order_id: number
          pdf: string | null
          total: number
        }
        Insert: {
          number: string
          order_id: number
          pdf?: string | null
          total: number
        }
        Update: {
          number?: string
          order_id?: number
          pdf?: string | null
          total?: number
        }
        Relationships: [
          {
            foreignKeyName: "invoice_order_id_fkey"
            columns: ["order_id"]
            isOneToOne: true
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
        ]
      }
      order_line: {
        Row: {
          code: string
          line_no: number
          order_id: number
          product_id: number
          qty: number
        }
        Insert: {
          code: string
          line_no: number
          order_id: number
          product_id: number
          qty?: number
        }
        Update: {
          code?: string
          line_no?: number
          order_id?: number
          product_id?: number
          qty?: number
        }
        Relationships: [
          {
            foreignKeyName: "order_line_order_id_fkey"
            columns: ["order_id"]
            isOneToOne: false
            referencedRelation: "orders"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "order_line_variant_fkey"
            columns: ["product_id", "code"]
            isOneToOne: false
            referencedRelation: "variant"
            referencedColumns: ["product_id", "code"]
          },
        ]
      }
      orders: {
        Row: {
          customer_id: string
          delivery: unknown | null
          history: Database["public"]["Enums"]["order_state"][] | null
          id: number
          placed_at: string | null
          state: Database["public"]["Enums"]["order_state"]
        }
        Insert: {
          customer_id: string
          delivery?: unknown | null
          history?: Database["public"]["Enums"]["order_state"][] | null
          id?: number
          placed_at?: string | null
          state?: Database["public"]["Enums"]["order_state"]
        }
        Update: {
          customer_id?: string
          delivery?: unknown | null
          history?: Database["public"]["Enums"]["order_state"][] | null
          id?: number
          placed_at?: string | null
          state?: Database["public"]["Enums"]["order_state"]
        }
        Relationships: [
          {
            foreignKeyName: "orders_customer_id_fkey"
            columns: ["customer_id"]
            isOneToOne: false
            referencedRelation: "customer"
            referencedColumns: ["id"]
          },
        ]
      }
      product: {
        Row: {
          attributes: Json
          category_id: number | null
          gross: number | null
          id: number
          listed: string
          price: number
          ratings: number[] | null
          search: unknown | null
          tags: string[]
          title: string
          unit: Database["public"]["Enums"]["weight_unit"] | null
          weight: number | null
          title_upper: string | null
        }
        Insert: {
          attributes?: Json
          category_id?: number | null
          gross?: number | null
          id?: number
          listed?: string
          price: number
          ratings?: number[] | null
          search?: unknown | null
          tags?: string[]
          title: string
          unit?: Database["public"]["Enums"]["weight_unit"] | null
          weight?: number | null
        }
        Update: {
          attributes?: Json
          category_id?: number | null
          gross?: number | null
          id?: number
          listed?: string
          price?: number
          ratings?: number[] | null
          search?: unknown | null
          tags?: string[]
          title?: string
          unit?: Database["public"]["Enums"]["weight_unit"] | null
          weight?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "product_category_id_fkey"
            columns: ["category_id"]
            isOneToOne: false
            referencedRelation: "category"
            referencedColumns: ["id"]
          },
        ]
      }
      review: {
        Row: {
          body: string | null
          customer_id: string | null
          id: number
          product_id: number
          stars: number
        }
        Insert: {
          body?: string | null
          customer_id?: string | null
          id?: never
          product_id: number
          stars: number
        }
        Update: {
          body?: string | null
          customer_id?: string | null
          id?: never
          product_id?: number
          stars?: number
        }
        Relationships: [
          {
            foreignKeyName: "review_customer_id_fkey"
            columns: ["customer_id"]
            isOneToOne: false
            referencedRelation: "customer"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "review_product_id_fkey"
            columns: ["product_id"]
            isOneToOne: false
            referencedRelation: "product"
            referencedColumns: ["id"]
          },
        ]
      }
      supplier: {
        Row: {
          contact: Json | null
          id: number
          ip: unknown | null
          name: string
        }
        Insert: {
          contact?: Json | null
          id?: never
          ip?: unknown | null
          name: string
        }
        Update: {
          contact?: Json | null
          id?: never
          ip?: unknown | null
          name?: string
        }
        Relationships: []
      }
      supply: {
        Row: {
          cost: number | null
          product_id: number
          supplier_id: number
        }
        Insert: {
          cost?: number | null
          product_id: number
          supplier_id: number
        }
        Update: {
          cost?: number | null
          product_id?: number
          supplier_id?: number
        }
        Relationships: [
          {
            foreignKeyName: "supply_product_id_fkey"
            columns: ["product_id"]
            isOneToOne: false
            referencedRelation: "product"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "supply_supplier_id_fkey"
            columns: ["supplier_id"]
            isOneToOne: false
            referencedRelation: "supplier"
            referencedColumns: ["id"]
          },
        ]
      }
      variant: {
        Row: {
          code: string
          product_id: number
          stock: number
        }
        Insert: {
          code: string
          product_id: number
          stock?: number
        }
        Update: {
          code?: string
          product_id?: number
          stock?: number
        }
        Relationships: [
          {
            foreignKeyName: "variant_product_id_fkey"
            columns: ["product_id"]
            isOneToOne: false
            referencedRelation: "product"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      best_sellers: {
        Row: {
          n: number | null
          product_id: number | null
        }
        Relationships: []
      }
      product_overview: {
        Row: {
          id: number | null
          price: number | null
          title: string | null
        }
        Insert: {
          id?: number | null
          price?: number | null
          title?: string | null
        }
        Update: {
          id?: number | null
          price?: number | null
          title?: string | null
        }
        Relationships: []
      }
      sales: {
        Row: {
          product_id: number | null
          sold: number | null
        }
        Relationships: []
      }
    }
    Functions: {
      order_total: {
        Args: { of_order: number }
        Returns: number
      }
      search_products: {
        Args: { term: string; maximum?: number; only_listed?: boolean }
        Returns: {
          attributes: Json
          category_id: number | null
          gross: number | null
          id: number
          listed: string
          price: number
          ratings: number[] | null
          search: unknown | null
          tags: string[]
          title: string
          unit: Database["public"]["Enums"]["weight_unit"] | null
          weight: number | null
        }[]
      }
      title_upper: {
        Args: { "": Database["public"]["Tables"]["product"]["Row"] }
        Returns: string
      }
      totals: {
        Args: Record<PropertyKey, never>
        Returns: {
          state: Database["public"]["Enums"]["order_state"]
          n: number
        }[]
      }
    }
    Enums: {
      order_state:
        | "cart"
        | "paid"
        | "packed"
        | "shipped"
        | "delivered"
        | "returned"
        | "cancelled"
        | "refunded"
      weight_unit: "g" | "kg"
    }
    CompositeTypes: {
      address: {
        street: string | null
        city: string | null
        postcode: string | null
        country: string | null
      }
    }
  }
}

type DefaultSchema = Database[Extract<keyof Database, "public">]

export type Tables<
  NameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof (Database[NameOrOptions["schema"]]["Tables"] &
        Database[NameOrOptions["schema"]]["Views"])
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? (Database[NameOrOptions["schema"]]["Tables"] &
      Database[NameOrOptions["schema"]]["Views"])[Name] extends {
      Row: infer R
    }
    ? R
    : never
  : NameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[NameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Insert: infer I
    }
    ? I
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Update: infer U
    }
    ? U
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  NameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Enums"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Enums"][Name]
  : NameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][NameOrOptions]
    : never

export type CompositeTypes<
  NameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["CompositeTypes"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["CompositeTypes"][Name]
  : NameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][NameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {
      order_state: [
        "cart",
        "paid",
        "packed",
        "shipped",
        "delivered",
        "returned",
        "cancelled",
        "refunded",
      ],
      weight_unit: ["g", "kg"],
    },
  },
} as const
