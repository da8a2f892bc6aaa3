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
      api_key: {
        Row: {
          digest: string
          id: number
          last_used: string | null
          org_id: string
          scopes: string[]
        }
        Insert: {
          digest: string
          id?: number
          last_used?: string | null
          org_id: string
          scopes?: string[]
        }
        Update: {
          digest?: string
          id?: number
          last_used?: string | null
          org_id?: string
          scopes?: string[]
        }
        Relationships: [
          {
            foreignKeyName: "api_key_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "org"
            referencedColumns: ["id"]
          },
        ]
      }
      audit_log: {
        Row: {
          action: string | null
          actor: string | null
          after: Json | null
          at: string | null
          before: Json | null
          id: number
        }
        Insert: {
          action?: string | null
          actor?: string | null
          after?: Json | null
          at?: string | null
          before?: Json | null
          id?: never
        }
        Update: {
          action?: string | null
          actor?: string | null
          after?: Json | null
          at?: string | null
          before?: Json | null
          id?: never
        }
        Relationships: []
      }
      deployment: {
        Row: {
          environment_id: number | null
          id: string
          logs: string[] | null
          started: string | null
          status: string
          took: unknown | null
        }
        Insert: {
          environment_id?: number | null
          id?: string
          logs?: string[] | null
          started?: string | null
          status?: string
          took?: unknown | null
        }
        Update: {
          environment_id?: number | null
          id?: string
          logs?: string[] | null
          started?: string | null
          status?: string
          took?: unknown | null
        }
        Relationships: [
          {
            foreignKeyName: "deployment_environment_id_fkey"
            columns: ["environment_id"]
            isOneToOne: false
            referencedRelation: "environment"
            referencedColumns: ["id"]
          },
        ]
      }
      environment: {
        Row: {
          id: number
          name: string
          project_id: number
          variables: Json | null
        }
        Insert: {
          id?: number
          name?: string
          project_id: number
          variables?: Json | null
        }
        Update: {
          id?: number
          name?: string
          project_id?: number
          variables?: Json | null
        }
        Relationships: [
          {
            foreignKeyName: "environment_project_id_fkey"
            columns: ["project_id"]
            isOneToOne: false
            referencedRelation: "project"
            referencedColumns: ["id"]
          },
        ]
      }
      "Feature Flag": {
        Row: {
          created_by: string | null
          "Is On": boolean
          key: string
          "rollout%": unknown | null
        }
        Insert: {
          created_by?: string | null
          "Is On"?: boolean
          key: string
          "rollout%"?: unknown | null
        }
        Update: {
          created_by?: string | null
          "Is On"?: boolean
          key?: string
          "rollout%"?: unknown | null
        }
        Relationships: []
      }
      org: {
        Row: {
          created_at: string | null
          id: string
          plan: Database["public"]["Enums"]["plan"]
          settings: Json | null
          slug: string
        }
        Insert: {
          created_at?: string | null
          id?: string
          plan?: Database["public"]["Enums"]["plan"]
          settings?: Json | null
          slug: string
        }
        Update: {
          created_at?: string | null
          id?: string
          plan?: Database["public"]["Enums"]["plan"]
          settings?: Json | null
          slug?: string
        }
        Relationships: []
      }
      org_member: {
        Row: {
          accepted: boolean
          email: string
          org_id: string
          role: Database["public"]["Enums"]["member_role"]
        }
        Insert: {
          accepted?: boolean
          email: string
          org_id: string
          role?: Database["public"]["Enums"]["member_role"]
        }
        Update: {
          accepted?: boolean
          email?: string
          org_id?: string
          role?: Database["public"]["Enums"]["member_role"]
        }
        Relationships: [
          {
            foreignKeyName: "org_member_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "org"
            referencedColumns: ["id"]
          },
        ]
      }
      project: {
        Row: {
          archived_at: string | null
          id: number
          name: string
          org_id: string
        }
        Insert: {
          archived_at?: string | null
          id?: never
          name: string
          org_id: string
        }
        Update: {
          archived_at?: string | null
          id?: never
          name?: string
          org_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "project_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "org"
            referencedColumns: ["id"]
          },
        ]
      }
      quota: {
        Row: {
          plan: Database["public"]["Enums"]["plan"]
          price: number
          seats: number
        }
        Insert: {
          plan: Database["public"]["Enums"]["plan"]
          price: number
          seats: number
        }
        Update: {
          plan?: Database["public"]["Enums"]["plan"]
          price?: number
          seats?: number
        }
        Relationships: []
      }
      subscription: {
        Row: {
          org_id: string
          plan: Database["public"]["Enums"]["plan"]
          renews: string | null
          seats: number | null
          trial: boolean | null
        }
        Insert: {
          org_id: string
          plan: Database["public"]["Enums"]["plan"]
          renews?: string | null
          seats?: number | null
          trial?: boolean | null
        }
        Update: {
          org_id?: string
          plan?: Database["public"]["Enums"]["plan"]
          renews?: string | null
          seats?: number | null
          trial?: boolean | null
        }
        Relationships: [
          {
            foreignKeyName: "subscription_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: true
            referencedRelation: "org"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "subscription_plan_fkey"
            columns: ["plan"]
            isOneToOne: false
            referencedRelation: "quota"
            referencedColumns: ["plan"]
          },
        ]
      }
      usage_event: {
        Row: {
          amount: number
          at: string
          id: number
          kind: string
          org_id: string
          share: unknown | null
        }
        Insert: {
          amount?: number
          at: string
          id?: never
          kind: string
          org_id: string
          share?: unknown | null
        }
        Update: {
          amount?: number
          at?: string
          id?: never
          kind?: string
          org_id?: string
          share?: unknown | null
        }
        Relationships: [
          {
            foreignKeyName: "usage_event_org_id_fkey"
            columns: ["org_id"]
            isOneToOne: false
            referencedRelation: "org"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      open_projects: {
        Row: {
          id: number | null
          name: string | null
          title: string | null
        }
        Insert: {
          id?: number | null
          name?: string | null
          title?: never
        }
        Update: {
          id?: number | null
          name?: string | null
          title?: never
        }
        Relationships: []
      }
      org_usage: {
        Row: {
          plan: Database["public"]["Enums"]["plan"] | null
          slug: string | null
          used: number | null
        }
        Relationships: []
      }
    }
    Functions: {
      add: {
        Args: { a: number; b: number } | { a: string; b: string }
        Returns: number
      }
      org_of: {
        Args: { wanted: string }
        Returns: {
          created_at: string | null
          id: string
          plan: Database["public"]["Enums"]["plan"]
          settings: Json | null
          slug: string
        }
      }
    }
    Enums: {
      member_role: "owner" | "admin" | "editor" | "viewer"
      plan: "free" | "pro" | "team" | "enterprise"
    }
    CompositeTypes: {
      [_ in never]: never
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
      member_role: ["owner", "admin", "editor", "viewer"],
      plan: ["free", "pro", "team", "enterprise"],
    },
  },
} as const
